import HoldfastTrust

extension FindingSample {
    /// Samples for mistakes in other formats.
    static let readingForeign: [FindingSample] = [
        FindingSample(
            "too-deep", .android,
            """
            <network-security-config><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>\
            <a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>\
            <a><a><a><a><a><a><a><a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a>\
            </a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a>\
            </a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a>\
            </network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "not-utf8", .android,
            """
            <?xml version="1.0" encoding="latin1"?><network-security-config><domain-config>\
            <domain>example.com</domain><pin-set><pin digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <?xml version="1.0" encoding="utf-8"?><network-security-config><domain-config>\
            <domain>example.com</domain><pin-set><pin digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "malformed-xml", .android,
            "<network-security-config><domain-config></network-security-config>",
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "unknown-entity", .android,
            "<network-security-config>&nbsp;</network-security-config>",
            "<network-security-config>&amp;</network-security-config>"),
        FindingSample(
            "document-type", .android,
            """
            <!DOCTYPE a><network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "malformed-property-list", .trustKit,
            "<plist><dict><true/></dict></plist>",
            "<plist><dict/></plist>"),
        FindingSample(
            "binary-property-list", .trustKit,
            "bplist00",
            "<plist><dict/></plist>"),
        FindingSample(
            "malformed-header", .hpkp,
            "HEADER max-age=60",
            "HEADER; max-age=60"),
        FindingSample(
            "wrong-root", .android,
            "<other/>",
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "boolean-as-text", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKEnforcePinning\": \"YES\"}}}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKEnforcePinning\": true}}}"),
        FindingSample(
            "unknown-element", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set>\
            <future/></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "unknown-directive", .hpkp,
            "HEADER; max-age=60; future=1",
            "HEADER; max-age=60"),
        FindingSample(
            "misplaced-element", .android,
            "<network-security-config><base-config><pin-set/></base-config></network-security-config>",
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "second-element", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "duplicate-directive", .hpkp,
            "HEADER; max-age=60; max-age=61",
            "HEADER; max-age=60"),
        FindingSample(
            "unexpected-value", .hpkp,
            "HEADER; max-age=60; includeSubDomains=1",
            "HEADER; max-age=60; includeSubDomains"),
        FindingSample(
            "several-headers", .hpkp,
            "HEADER; max-age=60\nHEADER; max-age=60",
            "HEADER; max-age=60\n"),
        FindingSample(
            "contradiction", .trustKit,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"TSKExcludeSubdomainFromParentPolicy": true, "kSKExcludeSubdomainFromParentPolicy": false}}}
            """,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true}}}
            """
        ),
        FindingSample(
            "duplicate-host", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}, \"Example.com\": {HASHES}}}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "no-pinned-domains", .trustKit,
            "{\"TSKSwizzleNetworkDelegates\": false}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "no-entries", .chromium,
            "{\"pinsets\": []}",
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": \
            [{"name": "example.com", "pins": "a"}]}
            """
        ),
        FindingSample(
            "no-domain", .android,
            "<network-security-config><domain-config/></network-security-config>",
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "missing-name", .chromium,
            "{\"pinsets\": [{}], \"entries\": []}",
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": \
            [{"name": "example.com", "pins": "a"}]}
            """
        ),
        FindingSample(
            "malformed-source", .okHttp,
            "b.add(\"example.com\", \"sha256/P1\", \"sha256/P2\"",
            "b.add(\"example.com\", \"sha256/P1\", \"sha256/P2\")"),
        FindingSample(
            "not-a-literal", .okHttp,
            "b.add(host, \"sha256/P1\", \"sha256/P2\")",
            "b.add(\"example.com\", \"sha256/P1\", \"sha256/P2\")"),
        FindingSample(
            "misplaced-pin", .okHttp,
            "b.put(\"example.com\", \"sha256/P1\", \"sha256/P2\")",
            "b.add(\"example.com\", \"sha256/P1\", \"sha256/P2\")"),
        FindingSample(
            "certificate-transparency", .android,
            """
            <network-security-config><base-config><certificateTransparency \
            enabled="true"/></base-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><certificateTransparency \
            enabled="true"/></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "sha1-pin", .okHttp,
            "example.com sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "example.com sha256/P1 sha256/P2"),
        FindingSample(
            "unquoted-pin", .hpkp,
            "HEADER; pin-sha256=abc; max-age=60",
            "HEADER; max-age=60"),
        FindingSample(
            "missing-pin", .okHttp,
            "example.com",
            "example.com sha256/P1 sha256/P2"),
        FindingSample(
            "missing-digest", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set>\
            <pin>P1</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "unknown-digest", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-1">P1</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "file-path", .curl,
            "/etc/key.pem",
            "sha256//P1;sha256//P2"),
        FindingSample(
            "unknown-pin-set", .chromium,
            "{\"pinsets\": [], \"entries\": [{\"name\": \"example.com\", \"pins\": \"b\"}]}",
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": \
            [{"name": "example.com", "pins": "a"}]}
            """
        ),
        FindingSample(
            "duplicate-pin-set", .chromium,
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}, {"name": \
            "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": []}
            """,
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": \
            [{"name": "example.com", "pins": "a"}]}
            """
        ),
        FindingSample(
            "unknown-key-name", .chromium,
            "{\"pinsets\": [{\"name\": \"a\", \"static_spki_hashes\": [\"KeyB\"]}], \"entries\": []}",
            "{\"pinsets\": [{\"name\": \"a\", \"static_spki_hashes\": [\"KeyA\"]}], \"entries\": []}"),
        FindingSample(
            "missing-max-age", .hpkp,
            "HEADER",
            "HEADER; max-age=60"),
        FindingSample(
            "invalid-max-age", .hpkp,
            "HEADER; max-age=x",
            "HEADER; max-age=60"),
        FindingSample(
            "unused-max-age", .hpkp,
            "Public-Key-Pins-Report-Only: HEADER; max-age=60",
            "HEADER; max-age=60"),
        FindingSample(
            "relative-expiry", .hpkp,
            "HEADER; max-age=60",
            "HEADER; max-age=0"),
        FindingSample(
            "local-expiry", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set expiration="2035-01-01">\
            <pin digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "default-report-uri", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}}}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "exclusion-with-other-keys", .trustKit,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true, "TSKEnforcePinning": true}}}
            """,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true}}}
            """
        ),
        FindingSample(
            "exclusion-without-parent", .trustKit,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true}}}
            """,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true}}}
            """
        ),
        FindingSample(
            "misspelt-exclude-key", .trustKit,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"TSKExcludeSubdomainFromParentPolicy": true}}}
            """,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true}}}
            """
        ),
        FindingSample(
            "deprecated-key", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKPublicKeyAlgorithms\": []}}}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "swizzling", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}}, \"TSKSwizzleNetworkDelegates\": true}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}}, \"TSKSwizzleNetworkDelegates\": false}"),
        FindingSample(
            "user-anchors", .trustKit,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}}, \"TSKIgnorePinningForUserDefinedTrustAnchors\": true}",
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES, \"TSKDisableDefaultReportUri\": true}}}"),
        FindingSample(
            "other-pins", .trustKit,
            """
            {"TSKPinnedDomains": {"example.com": {HASHES}}, "NSAppTransportSecurity": {"NSPinnedDomains": {}}}
            """,
            "{\"TSKPinnedDomains\": {\"example.com\": {HASHES}}, \"NSAppTransportSecurity\": {}}"),
        FindingSample(
            "empty-identities", .pinnedDomains,
            "{\"NSPinnedDomains\": {\"example.com\": {\"NSPinnedCAIdentities\": []}}}",
            "{\"NSPinnedDomains\": {\"example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"P1\"}]}}}"),
        FindingSample(
            "unpinned", .pinnedDomains,
            "{\"NSPinnedDomains\": {\"example.com\": {}}}",
            "{\"NSPinnedDomains\": {\"example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"P1\"}]}}}"),
        FindingSample(
            "empty-pin-set", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set/><trustkit-config \
            enforcePinning="true"/></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set/><trustkit-config \
            enforcePinning="false"/></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "several-domains", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><domain>b.example</domain><pin-set>\
            <pin digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set>\
            <trustkit-config/></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set>\
            <trustkit-config/></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "debug-overrides", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set></domain-config>\
            <debug-overrides/></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "override-pins", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="system" overridePins="true"/></trust-anchors></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="system"/></trust-anchors></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "trust-anchors", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="user"/></trust-anchors></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="system"/></trust-anchors></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "unknown-source", .android,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="x"/></trust-anchors></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin digest="SHA-256">P2</pin></pin-set><trust-anchors><certificates \
            src="system"/></trust-anchors></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "other-setting", .android,
            """
            <network-security-config><domain-config hstsEnforced="true"><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """,
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set><pin \
            digest="SHA-256">P1</pin><pin \
            digest="SHA-256">P2</pin></pin-set></domain-config></network-security-config>
            """
        ),
        FindingSample(
            "deny-is-global", .chromium,
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"], \
            "bad_static_spki_hashes": ["sha256/P3"]}], "entries": []}
            """,
            """
            {"pinsets": [{"name": "a", "static_spki_hashes": ["sha256/P1", "sha256/P2"]}], "entries": \
            [{"name": "example.com", "pins": "a"}]}
            """
        ),
    ]
}
