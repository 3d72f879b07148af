import HoldfastTrust

extension FindingSample {
    /// Samples for the findings of lint.
    static let linting: [FindingSample] = [
        FindingSample(
            "unusable-policy", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", \"pinSet\": \"none\"}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "empty-policy", .holdfast,
            "{\"holdfast\": 1}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "missing-backup-pin", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", \"pins\": [\"P1\"]}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "single-pin", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": ["P1"]}], \
            "backupPins": "off"}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "no-pins", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [], \
            "requiredScopes": ["any"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "duplicate-pin", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": ["P1", "P2", \
            "sha256/P1"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "placeholder-pin", .okHttp,
            "example.com sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= sha256/P2",
            "example.com sha256/P1 sha256/P2"),
        FindingSample(
            "unused-pin-set", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "pinSets": {"a": \
            ["P1"]}}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pinSet": "a"}], \
            "pinSets": {"a": ["P1", "P2"]}}
            """
        ),
        FindingSample(
            "denied-pin", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"deny\": [\"P1\"]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"deny\": [\"P3\"]}"),
        FindingSample(
            "expires-soon", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2031-03-20T00:00:00Z"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:00Z"}]}
            """
        ),
        FindingSample(
            "expired", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2030-01-01T00:00:00Z"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:00Z"}]}
            """
        ),
        FindingSample(
            "certificate-pins-only", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "domain": "certificate"}, {"sha256": "P2", "domain": "certificate"}]}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "domain": "certificate"}, "P2"]}]}
            """
        ),
        FindingSample(
            "leaf-pins-only", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "leaf"}]}], "backupPins": "off"}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "leaf"}, {"sha256": "P2", "scope": "leaf"}]}]}
            """
        ),
        FindingSample(
            "raw-key-pin", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "domain": "rawKey"}, "P2"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "other-spelling", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"Example.com.\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "public-suffix", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "co.uk", "includesSubdomains": true, \
            PINS}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "shop.co.uk", "includesSubdomains": true, \
            PINS}]}
            """
        ),
        FindingSample(
            "trustkit-refuses", .trustKit,
            "{\"TSKPinnedDomains\": {\"localhost\": {HASHES}}}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "unreachable-rule", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "example.org", "excluded": true}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "includesSubdomains": \
            true, PINS}, {"host": "a.example.com", "excluded": true}]}
            """
        ),
        FindingSample(
            "redundant-rule", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "includesSubdomains": \
            true, PINS}, {"host": "a.example.com", PINS}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "includesSubdomains": \
            true, PINS}, {"host": "a.example.com", "pins": ["P3", "P4"]}]}
            """
        ),
        FindingSample(
            "unpinned-by-omission", .android,
            """
            <network-security-config><domain-config><domain includeSubdomains="true">example.com</domain><pin-set>\
            <pin digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set></domain-config><domain-config \
            cleartextTrafficPermitted="true">\
            <domain>a.example.com</domain></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain includeSubdomains="true">example.com</domain><pin-set>\
            <pin digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set></domain-config><domain-config>\
            <domain>a.example.com</domain><pin-set/></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "cleartext-report", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "reportURIs": \
            ["http://r.example/"]}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "reportURIs": \
            ["https://r.example/"]}]}
            """
        ),
        FindingSample(
            "report-only", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "enforcement": \
            "reportOnly"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "enforcement": \
            "reportOnly", "reportURIs": ["https://r.example/"]}]}
            """
        ),
        FindingSample(
            "untrusted-certificates-allowed", .holdfast,
            "{\"allowUntrustedSSLCertificate\": true}",
            "{\"allowUntrustedSSLCertificate\": false}"),
    ]
}
