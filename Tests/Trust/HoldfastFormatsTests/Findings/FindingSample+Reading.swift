import HoldfastTrust

extension FindingSample {
    /// Samples for mistakes in Holdfast's own format.
    static let reading: [FindingSample] = [
        FindingSample(
            "invalid-json", .holdfast,
            "{\"holdfast\": 1,}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "unknown-key", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"x\": 1}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "unknown-value", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "precedence": \
            "x"}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "unknown-version", .holdfast,
            "{\"holdfast\": 2, \"domains\": [{\"host\": \"example.com\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "missing-version", .holdfast,
            "{\"domains\": [{\"host\": \"example.com\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "wrong-type", .holdfast,
            "{\"holdfast\": 1, \"domains\": 5}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "invalid-host", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"a b\", PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "missing-host", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "subdomains-of-address", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "192.0.2.1", "depth": "anyDepth", \
            PINS}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"192.0.2.1\", \"depth\": \"exact\", PINS}]}"),
        FindingSample(
            "two-depths", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "*.example.com", "includesSubdomains": \
            true, PINS}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"*.example.com\", PINS}]}"),
        FindingSample(
            "invalid-pin", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", \"pins\": [\"P1\", \"x\"]}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "missing-hash", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", "pins": [{"scope": \
            "leaf"}]}]}
            """,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}]}"),
        FindingSample(
            "invalid-date", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2031-01-01"}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "expires": \
            "2035-01-01T00:00:00Z"}]}
            """
        ),
        FindingSample(
            "invalid-report-uri", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "reportURIs": \
            ["x"]}]}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS, "reportURIs": \
            ["https://x.example"]}]}
            """
        ),
        FindingSample(
            "excluded-with-pins", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", \"excluded\": true, PINS}]}",
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", \"excluded\": true}]}"),
        FindingSample(
            "missing-certificates", .holdfast,
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"example.com\", PINS}], \"anchors\": {}}",
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "anchors": \
            {"certificates": []}}
            """
        ),
        FindingSample(
            "invalid-certificate", .holdfast,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "anchors": \
            {"certificates": ["x"]}}
            """,
            """
            {"holdfast": 1, "name": "t", "domains": [{"host": "example.com", PINS}], "anchors": \
            {"certificates": []}}
            """
        ),
    ]
}
