//! One page, what it complains of, and pictures of it.

use crate::base64;
use crate::browser::{Browser, Fault};
use crate::view::View;
use serde_json::{Value, json};
use std::path::Path;

/// Pictures higher than this are cut below: browsers draw no larger ones.
const HIGHEST: f64 = 16_000.0;

/// A page in a browser. It is closed with this value.
#[derive(Debug)]
pub struct Tab<'a> {
    browser: &'a mut Browser,
    target: String,
    session: String,
    /// The address of the page itself, the only one that may be asked for.
    address: String,
}

impl<'a> Tab<'a> {
    /// Opens an empty page and listens to it from the start.
    pub(crate) fn open(browser: &'a mut Browser) -> Result<Self, Fault> {
        let text = |answer: Value, key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        let target = text(browser.ask(None, "Target.createTarget", json!({ "url": "about:blank" }))?, "targetId");
        let attached = browser.ask(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }))?;
        let session = text(attached, "sessionId");
        let mut tab = Tab { browser, target, session, address: String::new() };
        for domain in ["Page", "Runtime", "Log", "Network", "Audits"] {
            tab.ask(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(tab)
    }

    /// Opens a file and waits until it is there with all it asks for.
    pub(crate) fn go(&mut self, file: &Path) -> Result<(), Fault> {
        self.address = format!("file://{}", encoded(&file.canonicalize()?.to_string_lossy()));
        self.browser.take_events(&self.session);
        let said = self.ask("Page.navigate", json!({ "url": self.address }))?;
        if let Some(error) = said["errorText"].as_str() {
            return Err(Fault(format!("{}: {error}", file.display())));
        }
        self.browser.await_event(&self.session, "Page.loadEventFired")
    }

    /// Lays the page out for a view.
    pub(crate) fn show(&mut self, view: View) -> Result<(), Fault> {
        self.ask("Emulation.setDeviceMetricsOverride", view.metrics())?;
        self.ask("Emulation.setEmulatedMedia", view.media())?;
        // Two frames, so that the layout is that of the view.
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))").map(drop)
    }

    /// What a script says.
    pub(crate) fn run(&mut self, script: &str) -> Result<Value, Fault> {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let said = self.ask("Runtime.evaluate", params)?;
        match said.get("exceptionDetails") {
            Some(details) => Err(Fault(format!("our own script: {}", thrown(details)))),
            None => Ok(said["result"]["value"].clone()),
        }
    }

    /// A picture of the whole page as PNG.
    pub(crate) fn picture(&mut self) -> Result<Vec<u8>, Fault> {
        let size = self.ask("Page.getLayoutMetrics", json!({}))?["cssContentSize"].clone();
        let height = size["height"].as_f64().unwrap_or(0.0).clamp(1.0, HIGHEST);
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1 });
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        self.data("Page.captureScreenshot", params)
    }

    /// The page on paper, as PDF.
    pub(crate) fn paper(&mut self) -> Result<Vec<u8>, Fault> {
        self.data("Page.printToPDF", json!({ "preferCSSPageSize": true, "paperWidth": 8.27, "paperHeight": 11.69 }))
    }

    /// Everything that the browser has reported of the page and that a sound page gives no reason for.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        let events = self.browser.take_events(&self.session);
        let mut all: Vec<String> = events.iter().filter_map(|event| self.complaint(event)).collect();
        all.dedup();
        all
    }

    fn complaint(&self, event: &Value) -> Option<String> {
        let params = &event["params"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match event["method"].as_str()? {
            // Messages in the console are never read, so there should be none.
            "Runtime.consoleAPICalled" => {
                let words = params["args"].as_array().into_iter().flatten();
                let words: Vec<String> = words.map(|arg| text(&arg["value"])).collect();
                Some(format!("console.{}: {}", text(&params["type"]), words.join(" ")))
            }
            "Runtime.exceptionThrown" => Some(format!("uncaught: {}", thrown(&params["exceptionDetails"]))),
            "Log.entryAdded" => {
                Some(format!("{}: {}", text(&params["entry"]["source"]), text(&params["entry"]["text"])))
            }
            "Audits.issueAdded" => self.issue(&params["issue"]),
            "Network.requestWillBeSent" => {
                let asked = text(&params["request"]["url"]);
                (asked != self.address && !asked.starts_with("data:")).then(|| format!("asks for {asked}"))
            }
            "Network.loadingFailed" => Some(format!("not loaded: {}", text(&params["errorText"]))),
            "Page.javascriptDialogOpening" => Some(format!("asks the reader: {}", text(&params["message"]))),
            _ => None,
        }
    }

    /// A breach of the page's own policy is at fault; what else the browser would advise is not.
    fn issue(&self, issue: &Value) -> Option<String> {
        let details = issue["details"].get("contentSecurityPolicyIssueDetails")?;
        let what = details["violatedDirective"].as_str().unwrap_or("policy");
        let which = details["blockedURL"].as_str().unwrap_or("inline");
        Some(format!("against its policy: {what}, {which}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Fault> {
        self.browser.ask(Some(&self.session), method, params)
    }

    fn data(&mut self, method: &str, params: Value) -> Result<Vec<u8>, Fault> {
        let said = self.ask(method, params)?;
        let data = said["data"].as_str().and_then(base64::decode);
        data.filter(|bytes| !bytes.is_empty()).ok_or_else(|| Fault(format!("{method}: there is no picture")))
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let _ = self.browser.ask(None, "Target.closeTarget", json!({ "targetId": self.target }));
    }
}

/// What was thrown, in words.
fn thrown(details: &Value) -> String {
    let description = details["exception"]["description"].as_str().or(details["exception"]["value"].as_str());
    let words = description.or(details["text"].as_str()).unwrap_or("an error");
    words.lines().next().unwrap_or_default().to_owned()
}

/// A path as it stands in an address.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_addresses() {
        assert_eq!(super::encoded("/a b/ü%.html"), "/a%20b/%C3%BC%25.html");
    }
}
