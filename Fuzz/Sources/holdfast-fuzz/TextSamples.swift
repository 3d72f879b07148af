/// Sample host names, and the policy in the sample bundle.
enum TextSamples {
    static let hosts: [(name: String, text: String)] = [
        ("name", "Chat.Example.COM."), ("punycode", "xn--bcher-kva.example"), ("script", "bücher。example"),
        ("percent", "ex%61mple.com"), ("ipv4", "0x7f.1"), ("ipv6", "[2001:DB8::1]"), ("mapped", "::ffff:192.0.2.1"),
        ("zone", "fe80::1%25eth0"), ("wildcard", "**.example.com"), ("hangul", "한국.example"), ("dots", "a..b"),
    ]

    static let policy = """
        {
          "holdfast": 1, "name": "shop",
          "domains": [
            {"host": "example.com", "pins": [
              "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="
            ]}
          ]
        }
        """
}
