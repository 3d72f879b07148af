import HoldfastTrust

extension FindingSample {
    /// Samples for the findings of conversions.
    static let converting: [FindingSample] = [
        FindingSample(
            "rule-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [], \
            "requiredScopes": ["any"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "pin-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": ["P1", "P2", \
            {"sha256": "P3", "domain": "rawKey"}]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "depth-widened", .holdfast, to: .trustKit,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"*.example.com\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"**.example.com\", PINS}]}"),
        FindingSample(
            "depth-narrowed", .holdfast, to: .pinnedDomains,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"**.example.com\", PINS}]}",
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "depth": \
            "apexAndOneLabel", PINS}]}
            """
        ),
        FindingSample(
            "scope-widened", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "ca"}, "P2"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "scope-narrowed", .holdfast, to: .curl,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}",
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "leaf"}]}], "backupPins": "off"}
            """
        ),
        FindingSample(
            "scope-chosen", .holdfast, to: .pinnedDomains,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}",
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "ca"}]}], "backupPins": "off"}
            """
        ),
        FindingSample(
            "every-scope-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "ca"}, {"sha256": "P2", "scope": "leaf"}], "everyScopeMustMatch": true}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "both-scopes-needed", .holdfast, to: .pinnedDomains,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "ca"}, {"sha256": "P2", "scope": "leaf"}]}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"sha256": \
            "P1", "scope": "ca"}, {"sha256": "P2", "scope": "leaf"}], "everyScopeMustMatch": true}]}
            """
        ),
        FindingSample(
            "backup-pin-needed", .holdfast, to: .trustKit,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": ["P1"]}], \
            "backupPins": "off"}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "expiry-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:00Z"}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "expiry-rounded", .holdfast, to: .trustKit,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:01Z"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:00Z"}]}
            """
        ),
        FindingSample(
            "age-chosen", .holdfast, to: .hpkp,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}",
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2032-01-01T00:00:00Z"}]}
            """
        ),
        FindingSample(
            "report-only-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "enforcement": \
            "reportOnly"}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "report-uris-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "reportURIs": \
            ["https://r.example/"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "exclusion-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "**.example.com", PINS}, {"host": \
            "a.example.com", "excluded": true}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "exclusion-narrowed", .holdfast, to: .trustKit,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "**.example.com", PINS}, {"host": \
            "**.a.example.com", "excluded": true}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "**.example.com", PINS}, {"host": \
            "a.example.com", "excluded": true}]}
            """
        ),
        FindingSample(
            "needless-exclusion", .holdfast, to: .trustKit,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "a.example.org", "excluded": true}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "**.example.com", PINS}, {"host": \
            "a.example.com", "excluded": true}]}
            """
        ),
        FindingSample(
            "entry-without-pins", .pinnedDomains, to: .holdfast,
            """
            {"NSPinnedDomains": {"example.com": {"NSPinnedCAIdentities": [{"SPKI-SHA256-BASE64": "P1"}]}, \
            "example.org": {}}}
            """,
            "{\"NSPinnedDomains\": {\"example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"P1\"}]}}}"),
        FindingSample(
            "precedence-flattened", .okHttp, to: .android,
            "**.example.com sha256/P1\na.example.com sha256/P2",
            "example.com sha256/P1 sha256/P2"),
        FindingSample(
            "precedence-changed", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "**.example.com", PINS}, {"host": \
            "a.example.com", "pins": ["P3", "P4"]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "refusal-lost", .holdfast, to: .pinnedDomains,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "depth": \
            "apexAndOneLabel", PINS}, {"host": "a.example.com", "pins": [], "requiredScopes": ["any"]}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "a.example.com", "pins": [], "requiredScopes": ["any"]}]}
            """
        ),
        FindingSample(
            "merged", .holdfast, to: .trustKit,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "**.example.com", PINS}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "deny-lost", .holdfast, to: .okHttp,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"deny\": [\"P3\"]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "deny-narrowed", .holdfast, to: .chromium,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"deny\": [\"P3\"]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "unlisted-hosts-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "unlistedHosts": \
            "refuse"}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "unlistedHosts": \
            "systemTrust"}
            """
        ),
        FindingSample(
            "anchors-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "anchors": \
            {"certificates": []}}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "transparency-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "transparency": "chrome"}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "transparency-changed", .holdfast, to: .android,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "transparency": "apple"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "transparency": "chrome"}]}
            """),
        FindingSample(
            "no-rule", .holdfast, to: .curl,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.org\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "other-hosts", .holdfast, to: .curl,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "example.org", PINS}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "names-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pinSet": "a"}], \
            "pinSets": {"a": ["P1", "P2"]}}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "comments-lost", .holdfast, to: .okHttp,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": ["P1", \
            {"sha256": "P2", "comment": "c"}]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "several-hosts", .holdfast, to: .curl, host: nil,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}, {"host": \
            "example.org", PINS}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
    ]
}
