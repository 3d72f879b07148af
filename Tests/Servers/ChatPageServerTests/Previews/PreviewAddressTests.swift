import HoldfastTransport
import HoldfastTrust
import Testing

@testable import ChatPageServer

@Suite("Addresses that may be fetched")
struct PreviewAddressTests {
    @Test(
        "Public web addresses",
        arguments: [
            "https://example.com/", "http://example.com/a?b=c", "https://example.com:443/", "http://example.com:80",
            "https://93.184.216.34/", "https://[2606:2800:220:1:248:1893:25c8:1946]/", "https://müller.example/",
        ])
    func allowed(url: String) { #expect(PreviewAddress.url(url) != nil) }

    @Test(
        "Everything else",
        arguments: [
            "", "example.com", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "ws://example.com/",
            "javascript:alert(1)", "data:text/html,x", "https://example.com:8443/", "http://example.com:443/",
            "https://example.com:80/", "http://example.com:22/", "https://user@example.com/",
            "https://user:password@example.com/",
            // Loopback, in every spelling that resolvers accept.
            "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://127.0.0.1/", "http://127.1/",
            "http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/", "http://[::1]/", "http://0.0.0.0/",
            "http://[::]/", "http://127.0.0.1%2f@example.com/",
            // Private, shared, link-local and cloud metadata.
            "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/",
            "http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[fe80::1]/", "http://[fd00::1]/",
            "http://[fec0::1]/", "http://metadata.google.internal/", "http://printer.local/", "http://nas.home.arpa/",
            // Multicast, broadcast, reserved, documentation, benchmarking.
            "http://224.0.0.1/", "http://255.255.255.255/", "http://240.0.0.1/", "http://[ff02::1]/",
            "http://192.0.2.1/", "http://198.51.100.1/", "http://203.0.113.1/", "http://198.18.0.1/",
            "http://[2001:db8::1]/", "http://192.0.0.8/",
            // IPv6 addresses that contain an IPv4 address.
            "http://[::ffff:127.0.0.1]/", "http://[::ffff:10.0.0.1]/", "http://[::127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::a00:1]/", "http://[64:ff9b:1::1]/",
            "http://[2002:7f00:1::]/", "http://[2002:a00:1::]/", "http://[2001::1]/", "http://[fe80::1%25eth0]/",
        ])
    func refused(url: String) { #expect(PreviewAddress.url(url) == nil, "\(url)") }

    @Test("A URL beyond the limit is refused")
    func long() {
        let path = String(repeating: "a", count: PreviewAddress.maximumLength)
        #expect(PreviewAddress.url("https://example.com/" + path) == nil)
    }

    @Test("One local address among several refuses all of them")
    func mixed() throws {
        let good = try CanonicalHost("93.184.216.34")
        let other = try CanonicalHost("2606:2800:220:1:248:1893:25c8:1946")
        #expect(PreviewAddress.address(among: [good, other]) == good)
        #expect(PreviewAddress.address(among: []) == nil)
        for bad in ["127.0.0.1", "10.1.2.3", "::1", "::ffff:192.168.0.1", "64:ff9b::a9fe:a9fe", "example.com"] {
            #expect(PreviewAddress.address(among: [good, try CanonicalHost(bad)]) == nil, "\(bad)")
            #expect(PreviewAddress.address(among: [try CanonicalHost(bad), good]) == nil, "\(bad)")
        }
    }
}
