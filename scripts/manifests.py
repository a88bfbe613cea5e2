"""Holds the manifests of the workspace against each other and against those of the dependencies.

Every crate has a description and takes licence, edition, version and `publish` from the workspace; those under `crates/` have keywords,
categories and a readme too. Its `rust-version` is at
least that of every crate it is built from, and is the workspace's unless it needs more. What the standard library has only
since a later version is found by clippy (`incompatible_msrv`); an older compiler itself is not run.

Usage: manifests.py; ends with a line for each fault, or with one that says what was looked at.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

INHERITED = ["edition", "license", "publish", "version"]
SHOWN = ["keywords", "categories", "readme"]


def version(text):
    """A Rust version as numbers that compare; no statement is less than any."""
    return tuple(int(part) for part in f"{text}.0.0".split(".")[:3]) if text else ()


def short(numbers):
    """`1.94.0` as `1.94`."""
    return ".".join(str(part) for part in numbers[:2])


def neediest(member, packages, edges):
    """The crate with the greatest `rust-version` among those that a crate is built from."""
    seen, left, worst = {member}, [member], None
    while left:
        for package in edges[left.pop()]:
            if package not in seen:
                seen.add(package)
                left.append(package)
                needs = version(packages[package]["rust_version"])
                if worst is None or needs > version(packages[worst]["rust_version"]):
                    worst = package
    return worst


def faults_of(member, packages, edges, shared):
    """What is wrong with the manifest of one crate."""
    package = packages[member]
    stated = tomllib.loads(Path(package["manifest_path"]).read_text())["package"]
    if not package["description"]:
        yield "it has no description"
    for field in INHERITED:
        if stated.get(field) != {"workspace": True}:
            yield f"`{field}` is not the workspace's: write `{field}.workspace = true`"
    if Path(package["manifest_path"]).parent.parent.name == "crates":
        for field in SHOWN:
            if not package[field]:
                yield f"it has no `{field}`: write `{field}.workspace = true`"
    if not package["rust_version"]:
        yield "it has no `rust-version`"
        return
    own, worst = version(package["rust_version"]), neediest(member, packages, edges)
    needs = version(packages[worst]["rust_version"]) if worst else ()
    if needs > own:
        name = f"{packages[worst]['name']} {packages[worst]['version']}"
        yield f"{name} needs Rust {short(needs)}, and `rust-version` is {package['rust_version']}"
    elif stated["rust-version"] != {"workspace": True} and needs <= shared:
        yield "no dependency needs a `rust-version` of its own: write `rust-version.workspace = true`"
    elif own > max(needs, shared):
        yield f"`rust-version` can be {short(max(needs, shared))}, and is {package['rust_version']}"


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    # Dependencies of tests alone do not matter to somebody who builds the crate.
    edges = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    root = Path(metadata["workspace_root"])
    shared = version(tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"])
    faults = []
    for member in metadata["workspace_members"]:
        faults += [f"{packages[member]['name']}: {fault}" for fault in faults_of(member, packages, edges, shared)]
    for file in ["LICENSE-MIT", "LICENSE-APACHE"]:
        if not (root / file).is_file():
            faults.append(f"{file} is missing")
    if faults:
        sys.exit("\n".join(faults))
    print(f"the manifests of {len(metadata['workspace_members'])} crates agree with those of {len(packages)}")


main()
