import HoldfastTrust
import Testing

/// Tests the `Host` field of a request, which must name exactly one host for every reader.
@Suite struct HostFieldTests {
    @Test(
        arguments: [
            ("localhost", "localhost", nil), ("LOCALHOST.:80", "localhost", 80),
            ("127.0.0.1:65535", "127.0.0.1", 65_535),
            ("[::1]", "::1", nil), ("[::1]:8080", "::1", 8080), ("a_b.example-1.com:1", "a_b.example-1.com", 1),
        ] as [(String, String, UInt16?)])
    func readsHosts(value: String, host: String, port: UInt16?) {
        let field = HostField(value)
        #expect(field?.host.text == host)
        #expect(field?.port == port)
    }

    @Test(arguments: [
        "", ":", ":80", "localhost:", "localhost:0", "localhost:65536", "localhost:+1", "localhost:1a", "localhost: 1",
        "localhost:1@evil.com", "localhost@evil.com", "evil.com@localhost", "127.0.0.1:80#evil.com",
        "localhost#evil.com",
        "localhost/", "localhost:80/", "localhost?x", "localhost,evil.com", "localhost, evil.com", "localhost evil.com",
        "localhost\\evil.com", "local%68ost", "l\u{F6}calhost", " localhost", "localhost\t", "[::1", "::1", "[::1]80",
        "[::1]:", "[::1%25lo]", "[localhost]", "[]", "localhost:80:80", "http://localhost", "..", "localhost..",
    ])
    func refusesInvalidHosts(value: String) {
        #expect(HostField(value) == nil)
    }

    /// The first `Host` field is the request's authority. A second field is detected in any spelling.
    @Test(
        arguments: [
            ([], false), (["Accept", "X-Host", "Host-Name", "H\u{F6}st"], false), (["accept", "Host"], true),
            (["hOSt"], true), (["host", "Host"], true),
        ] as [([String], Bool)])
    func detectsRepeatedField(names: [String], isRepeated: Bool) {
        #expect(HostField.isRepeated(among: names) == isRepeated)
    }
}
