/// Small policies in every format, and hosts.
enum PolicySamples {
    typealias Sample = (name: String, text: String)

    private static let one = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    private static let two = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="

    static let hosts: [Sample] = [
        ("name", "Chat.Example.COM."), ("punycode", "xn--bcher-kva.example"), ("script", "bücher。example"),
        ("percent", "ex%61mple.com"), ("ipv4", "0x7f.1"), ("ipv6", "[2001:DB8::1]"), ("mapped", "::ffff:192.0.2.1"),
        ("zone", "fe80::1%25eth0"), ("wildcard", "**.example.com"), ("hangul", "한국.example"), ("dots", "a..b"),
    ]

    static let json: [Sample] = [
        (
            "full",
            """
            {
              "holdfast": 1, "name": "shop", "precedence": "union", "unlistedHosts": "refuse",
              "pinSets": {"main": ["sha256/\(one)", {"sha256": "\(two)", "scope": "ca", "comment": "backup \\u00e4\\n"}]},
              "domains": [
                {"host": "example.com", "includesSubdomains": true, "pinSet": "main", "expires": "2032-06-30T00:00:00Z"},
                {"host": "status.example.com", "excluded": true},
                {"host": "*.beta.example.com", "pins": ["\(one)", "\(two)"], "enforcement": "reportOnly",
                 "everyScopeMustMatch": true, "reportURIs": ["https://reports.example.com/"]},
                {"host": "192.0.2.1", "pins": ["\(one)", {"sha256": "\(two)", "domain": "certificate", "scope": "leaf"}]}
              ],
              "deny": ["\(two)"]
            }
            """
        ),
        (
            "small",
            "{\"holdfast\":1,\"name\":\"n\",\"backupPins\":\"off\",\"domains\":[{\"host\":\"a.b\",\"pins\":[\"\(one)\"]}]}"
        ),
        (
            "wrong",
            "{\"holdfast\": 1, \"name\": 7, \"domains\": [{\"host\": \"a b\", \"pins\": [\"x\", -1.5e3, null, [[]]]}], \"x\": {}}"
        ),
    ]

    static let propertyLists: [Sample] = [
        (
            "trustkit",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>TSKConfiguration</key><dict>
                <key>TSKSwizzleNetworkDelegates</key><false/>
                <key>TSKPinnedDomains</key><dict>
                  <key>example.com</key><dict>
                    <key>TSKIncludeSubdomains</key><true/>
                    <key>TSKEnforcePinning</key><true/>
                    <key>TSKExpirationDate</key><string>2032-01-31</string>
                    <key>TSKPublicKeyHashes</key><array><string>\(one)</string><string>\(two)</string></array>
                    <key>TSKReportUris</key><array><string>https://reports.example.com/</string></array>
                  </dict>
                  <key>open.example.com</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>
                </dict>
              </dict>
            </dict></plist>
            """
        ),
        (
            "trustkit-json",
            "{\"TSKPinnedDomains\": {\"example.com\": {\"TSKPublicKeyHashes\": [\"\(one)\", \"\(two)\"], \"TSKEnforcePinning\": true}}}"
        ),
        (
            "nspinneddomains",
            """
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
              <key>example.com</key><dict>
                <key>NSIncludesSubdomains</key><true/>
                <key>NSPinnedCAIdentities</key>
                <array><dict><key>SPKI-SHA256-BASE64</key><string>\(one)</string></dict></array>
                <key>NSPinnedLeafIdentities</key>
                <array><dict><key>SPKI-SHA256-BASE64</key><string>\(two)</string></dict></array>
              </dict>
            </dict></dict></dict></plist>
            """
        ),
        (
            "values",
            "<plist><dict><key>a</key><array><integer>-12</integer><real>1e3</real><data>AAEC</data><date>2031-01-01T00:00:00Z</date><!-- c --><string>&lt;&#228;</string></array></dict></plist>"
        ),
    ]

    static let xml: [Sample] = [
        (
            "android",
            """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config>
              <base-config cleartextTrafficPermitted="false"><trust-anchors><certificates src="system"/></trust-anchors></base-config>
              <domain-config>
                <domain includeSubdomains="true">example.com</domain>
                <pin-set expiration="2032-01-31"><pin digest="SHA-256">\(one)</pin><pin digest="SHA-256">\(two)</pin></pin-set>
                <domain-config><domain>open.example.com</domain><pin-set/></domain-config>
                <trustkit-config enforcePinning="true" disableDefaultReportUri="true"><report-uri>https://r.example/</report-uri></trustkit-config>
              </domain-config>
              <debug-overrides/>
            </network-security-config>
            """
        ),
        (
            "odd",
            "<!-- c --><network-security-config x='1'><![CDATA[a]]>&#x41;&gt;<domain-config/></network-security-config>"
        ),
        ("broken", "<network-security-config><domain-config><domain>a</domain-config>"),
    ]

    static let headers: [Sample] = [
        (
            "full",
            "Public-Key-Pins: pin-sha256=\"\(one)\"; pin-sha256=\"\(two)\"; max-age=5184000; includeSubDomains; report-uri=\"https://r.example/\""
        ),
        ("report-only", "Public-Key-Pins-Report-Only: max-age=0; pin-sha256=\"\(one)\""),
        ("odd", "pin-sha256=\"\(one)\";;max-age=\"1\\2\" ; future = token; PIN-SHA256=x"),
    ]

    static let lines: [Sample] = [
        ("okhttp", "# pins\n*.example.com sha256/\(one) sha256/\(two)\n**.example.org sha256/\(one)\n"),
        ("curl", "pinnedpubkey = \"sha256//\(one);sha256//\(two)\"\n"),
        ("broken", "example.com\nsha1/AAAA x\n*.*.a sha256/\(one)x"),
    ]

    static let chromium: [Sample] = [
        (
            "full",
            """
            // A comment.
            {
              "pinsets": [{"name": "p", "static_spki_hashes": ["sha256/\(one)", "sha256/\(two)"],
                           "bad_static_spki_hashes": ["sha256/\(two)"], "report_uri": "https://r.example/"}],
              "entries": [
                {"name": "example.com", "policy": "custom", "mode": "force-https", "include_subdomains": true, "pins": "p"},
                {"name": "open.example.com", "policy": "custom"}
              ]
            }
            """
        ),
        ("empty", "{\"pinsets\": [], \"entries\": []}"),
        ("wrong", "{\"pinsets\": {}, \"entries\": [{\"name\": 7, \"pins\": \"none\"}, []]}"),
    ]
}
