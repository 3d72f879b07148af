import HoldfastTrust
import Testing

@testable import HoldfastTransport

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How an absent network, which uploads wait for, is distinguished from an unknown name.
@Suite struct OfflineTests {
    private static let home = ["127.0.0.1", "::1", "fe80::1", "FE80::2%eth0"]

    private static let rows: [([Int32], [String], TransportError.Code)] = [
        ([EAI_AGAIN], home + ["192.0.2.7"], .noConnectivity),
        ([EAI_NONAME, EAI_AGAIN], home + ["2001:db8::7"], .noConnectivity),
        ([EAI_NONAME, EAI_NONAME], home + ["192.0.2.7"], .unresolvedHost),
        ([EAI_NONAME], ["2001:db8::7"], .unresolvedHost),
        ([EAI_FAIL], ["10.0.0.1"], .unresolvedHost),
        ([], ["192.0.2.7"], .unresolvedHost),
        ([EAI_NONAME, EAI_NONAME], home, .noConnectivity),
        ([], [], .noConnectivity),
    ]

    /// One lookup that could not reach the name server is enough. A machine that has only loopback or link-local
    /// addresses has no network, whatever the resolver returns.
    @Test(arguments: rows)
    func aNameWithoutAnAddress(codes: [Int32], addresses: [String], expected: TransportError.Code) throws {
        let error = TransportError(
            resolving: try CanonicalHost("files.example"), codes: codes.map { Int($0) }, addresses: addresses)
        #expect(error.code == expected && error.phase == .connecting)
    }
}
