# Sourced by test.sh and pages.sh: finds Chromium, or installs Debian's where that can be done, and exports
# SCUMBLE_BROWSER, the program. A browser named there already is taken as it is. Where there is none and none can be
# installed, it says so and exports nothing: the tests that need one are skipped.

find_browser() {
    if [ -n "${SCUMBLE_BROWSER:-}" ]; then
        return
    fi
    local name
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        if SCUMBLE_BROWSER=$(command -v "$name"); then
            return
        fi
    done
    SCUMBLE_BROWSER=
}

prepare_browser() {
    find_browser
    if [ -z "$SCUMBLE_BROWSER" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
            install --no-install-recommends chromium; } >/dev/null 2>&1 || true
        find_browser
    fi
    if [ -z "$SCUMBLE_BROWSER" ]; then
        echo "there is no browser here: pages are not looked at"
        unset SCUMBLE_BROWSER
        return 0
    fi
    export SCUMBLE_BROWSER
}
