import Crypto
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

@Suite("seeds/003: evaluators by domain")
struct Seed003Tests {
    private let world: SampleWorld

    init() throws {
        world = try SampleWorld()
    }

    private func hash(_ bytes: some Sequence<UInt8>) -> Data { Data(SHA256.hash(data: Data(bytes))) }

    @Test func pinnedKeysAcceptTheKeyAndItsRenewalAndNoOther() async throws {
        let backup = hash([1])
        for primary in [Data(world.leaf.spkiDigest.bytes), hash(world.leaf.view.rawKey)] {
            let transport = world.pinning([
                SampleWorld.host: PublicKeyPinningEvaluator(pinnedKeyHashes: [primary, backup])
            ])
            try await world.expectAccepted(world.leaf, by: transport)
            try await world.expectAccepted(world.renewed, by: transport)
            #expect(try await world.refusal(of: world.other, by: transport) == .pinMismatch)
            #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
        }
    }

    @Test func aPinnedCertificateBreaksAtItsRenewal() async throws {
        let transport = world.pinning([
            SampleWorld.host: CertificatePinningEvaluator(pinnedCertificates: [Data(world.leaf.certificateDER)])
        ])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.renewed, by: transport) == .pinMismatch)
    }

    @Test func anEvaluatorOfOnesOwnCanRefuseAndNotRescue() async throws {
        let transport = world.pinning([SampleWorld.host: ShortChainEvaluator()])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
        let none = world.pinning([SampleWorld.host: ShortChainEvaluator(limit: 0)])
        #expect(try await world.refusal(of: world.leaf, by: none) == .evaluatorRefused)
    }

    @Test func anUnlistedDomainIsLeftToTheSystem() async throws {
        let transport = world.pinning(["other.example.com": ShortChainEvaluator(limit: 0)])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
    }

    /// The printed initialisers, with the machine's roots: nobody there vouches for the world's servers. Made only; the
    /// host does not exist.
    @Test func thePrintedServicesCanBeMade() {
        _ = makeServicePinningKeys(primaryHash: hash([1]), backupHash: hash([2]))
        _ = makeServicePinningCertificate(Data(world.leaf.certificateDER))
        _ = makeServiceWithOwnEvaluator()
    }

    private let environment = DefaultAPIEnvironment(baseURL: URL(string: "https://api.example.com/v1"))

    @Test func aTransportOfOnesOwnCarriesTheRequests() async throws {
        let path: String = try await makeServiceOverOwnTransport().request(
            to: Endpoint(path: "things", method: .get), via: environment)
        #expect(path == "/v1/things")
    }

    #if canImport(FoundationNetworking)
    /// The native session would not ask the delegate, whatever it pins: nothing is sent.
    @Test func aSessionWhoseDelegateWouldNotBeAskedIsRefused() async throws {
        await #expect(throws: UnbridgedSessionError.self) {
            try await makeServiceOverOwnSession().requestVoid(
                to: Endpoint(path: "things", method: .get), via: environment)
        }
    }
    #endif
}
