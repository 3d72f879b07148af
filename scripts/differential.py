"""Judges the cases of `holdfast-conformance differential` with other verifiers.

    python3 differential.py               prints the available verifiers as JSON
    python3 differential.py CASES RESULTS reads a case per line, and writes the reasons of the verifiers per line

A reason is null if the verifier accepts the case. A verifier that is not installed is left out.
"""
import base64
import json
import sys

import differential_openssl

try:
    import differential_pyca as pyca
except ImportError as error:
    pyca, missing_pyca = None, str(error)
try:
    openssl = differential_openssl.OpenSSL()
except OSError as error:
    openssl, missing_openssl = None, str(error)

STATES_NOW = {"qualified", "usable", "readonly"}
DAYS_180 = 180 * 86_400


def decoded(case):
    for field in ["chain", "anchors", "lists"]:
        case[field] = [base64.b64decode(text) for text in case[field]]
    for log in case["logs"]:
        log["key"] = base64.b64decode(log["key"])
        log["id"] = base64.b64decode(log["id"])
    return case


def transparency(case, timestamps):
    """Counts valid timestamps as Chrome's policy for embedded timestamps demands."""
    if timestamps is None:
        return "unreadable timestamps"
    logs = {log["id"]: log for log in case["logs"]}
    counted = {}
    for identifier, milliseconds, is_valid in timestamps:
        log = logs.get(identifier)
        if log is None or not is_valid:
            continue
        is_current = log["state"] in STATES_NOW and log["since"] <= case["time"]
        was_trusted = log["state"] == "retired" and milliseconds < log["since"] * 1000
        if is_current or was_trusted:
            counted.setdefault(identifier, is_current)
    needed = 2 if case["lifetime"] <= DAYS_180 else 3
    if len(counted) < needed:
        return f"{len(counted)} valid timestamps of {needed}"
    if not any(counted.values()):
        return "no current log"
    if len({logs[identifier]["operator"] for identifier in counted}) < 2:
        return "one operator"
    return None


def judged_by_openssl(case):
    if case["kind"] == "lists":
        flags = differential_openssl.CRL_CHECK | differential_openssl.CRL_CHECK_ALL
        return openssl.verify(case, flags | differential_openssl.EXTENDED_CRLS | differential_openssl.USE_DELTAS)
    refusal = openssl.verify(case)
    if refusal or case["kind"] != "timestamps":
        return refusal
    return transparency(case, openssl.timestamps(case, case["chain"] + case["anchors"]))


def judged_by_pyca(case):
    if case["kind"] == "lists":
        return pyca.revocation(case)
    if case["kind"] == "timestamps":
        return transparency(case, pyca.timestamps(case, case["chain"] + case["anchors"]))
    return pyca.verify(case)


def judged(verifier, case):
    """Returns the reason of a verifier. A case that it cannot read is refused."""
    try:
        return verifier(case)
    except Exception as error:
        return f"unreadable: {type(error).__name__}: {error}"


def main():
    if len(sys.argv) != 3:
        print(json.dumps({
            "openssl": openssl.version if openssl else None, "opensslMissing": None if openssl else missing_openssl,
            "pyca": pyca.VERSION if pyca else None, "pycaMissing": None if pyca else missing_pyca}))
        return
    with open(sys.argv[1]) as source, open(sys.argv[2], "w") as target:
        for line in source:
            case = decoded(json.loads(line))
            result = {}
            if openssl:
                result["openssl"] = judged(judged_by_openssl, case)
            # The verifier of pyca/cryptography does not process certificate policies.
            if pyca and case["kind"] != "policies":
                result["pyca"] = judged(judged_by_pyca, case)
            target.write(json.dumps(result) + "\n")


main()
