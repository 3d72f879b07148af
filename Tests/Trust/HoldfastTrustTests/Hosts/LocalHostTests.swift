import HoldfastTrust
import Testing

@Suite("Hosts on this machine and on local networks")
struct LocalHostTests {
    @Test(
        "detects local addresses and names in every spelling",
        arguments: [
            "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.0",
            "100.127.255.255", "169.254.0.1", "172.16.0.0", "172.31.255.255", "192.0.0.8", "192.168.255.255",
            "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
            "240.0.0.1", "255.255.255.255", "0x7f.1",
            "2130706433", "::1", "::", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:192.168.1.1", "64:ff9b::7f00:1",
            "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "2002:7f00:1::", "2002:c0a8:101::1", "2001::1",
            "2001:db8::1", "3fff::1", "fc00::1",
            "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "localhost", "LOCALHOST.", "a.b.localhost", "local",
            "printer.local", "router.home.arpa", "db.internal",
        ])
    func local(text: String) throws {
        #expect(try CanonicalHost(text).isLocal)
    }

    @Test(
        "does not report Internet hosts as local",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
            "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.0.1", "192.169.0.1", "198.17.0.1",
            "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8", "2002:808:808::1", "100:1::1", "::8.8.8.8", "example.com", "localhost.example.com",
            "mylocalhost", "notlocal", "internal.example.com",
        ])
    func global(text: String) throws {
        #expect(try !CanonicalHost(text).isLocal)
    }
}
