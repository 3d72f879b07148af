import ChatDevServer
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust

/// The check that follows a change of an app's certificates: the app connects to its server, and it does not connect to a
/// known wrong one in the server's place.
///
/// The wrong servers run on the loopback, under the host's name, with certificates that a fresh authority signs for it.
/// Whether they work at all is tried first by a client that trusts this authority: a refusal says nothing otherwise.
struct TwoWayCheck: Sendable {
    /// The bytes of foreign certificates that an impostor sends after its own: the TLS library takes 100 KiB in all.
    private static let smuggledBytes = 64 * 1024
    /// The most of them: a chain of more than 100 is refused by its length, whatever it holds.
    private static let smuggledCount = 90

    /// The certificates.
    var shelf: ProbeShelf
    /// Dials.
    var prober: Prober

    /// Makes the check. `server` is what the server itself has come to.
    func report(on target: ProbeTarget, server: ProbeOutcome) async -> TwoWayReport {
        var steps = [TwoWayReport.Step(name: "the server itself", expectation: .allow, outcome: server)]
        do {
            steps += try await impostors(of: target)
        } catch {
            let failure = ProbeFailure(code: "impostor", reason: "no impostor can be had: \(error)")
            steps.append(
                TwoWayReport.Step(name: "an impostor", expectation: .block, outcome: .failed(failure)))
        }
        return TwoWayReport(steps: steps)
    }

    private func impostors(of target: ProbeTarget) async throws -> [TwoWayReport.Step] {
        let factory = CertificateFactory(now: prober.clock.now())
        let rogue = try factory.authority("Rogue Authority")
        let names = target.host.isIPLiteral ? [] : [target.host.text]
        let addresses = target.host.isIPLiteral ? [target.host.text] : []
        let leaf = try factory.leaf(names, ipAddresses: addresses, signedBy: rogue)
        let plain = TLSIdentity(chain: leaf.chain, privateKeyPEM: leaf.privateKeyPEM)
        var size = 0
        let genuine = shelf.pins.certificates.prefix(Self.smuggledCount).map(\.der).prefix { der in
            size += der.count
            return size <= Self.smuggledBytes
        }
        let smuggling = TLSIdentity(chain: leaf.chain + genuine, privateKeyPEM: leaf.privateKeyPEM)
        let victim = TrustContext.pinnedKeysOnly(shelf.pins)
        let accomplice = TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [rogue.view]))

        var steps = try await CertificateScenarioServer.with(presenting: plain) { server in
            [
                await step("an impostor, for a client that trusts its authority", .allow, target, server, accomplice),
                await step("an impostor with a certificate of another authority", .block, target, server, victim),
            ]
        }
        steps += try await CertificateScenarioServer.with(presenting: smuggling) { server in
            [
                await step(
                    "an impostor that sends the listed certificates after its own", .block, target, server, victim)
            ]
        }
        return steps
    }

    private func step(
        _ name: String, _ expectation: ProbeExpectation, _ target: ProbeTarget, _ server: CertificateScenarioServer,
        _ trust: TrustContext
    ) async -> TwoWayReport.Step {
        var prober = prober
        prober.connectTo = "127.0.0.1"
        prober.proxies = .none
        guard let port = UInt16(exactly: server.port) else {
            let failure = ProbeFailure(code: "impostor", reason: "the impostor has no port")
            return TwoWayReport.Step(name: name, expectation: expectation, outcome: .failed(failure))
        }
        let result = await prober.dial(ProbeTarget(host: target.host, port: port), trust: trust)
        return TwoWayReport.Step(name: name, expectation: expectation, outcome: ProbeOutcome(result))
    }
}

/// What the check of a folder of certificates with an impostor came to.
struct TwoWayReport: Hashable, Sendable {
    /// One connection.
    struct Step: Hashable, Sendable {
        /// Whom it was made to, in words.
        var name: String
        /// What it should come to.
        var expectation: ProbeExpectation
        /// What it came to.
        var outcome: ProbeOutcome

        /// Whether that is so. A refusal that counts is one by the keys: an impostor whose certificate has ended, or whose chain is
        /// too long, says nothing about them.
        var isPassed: Bool {
            switch (expectation, outcome) {
            case (.allow, .allowed): true
            case (.block, .refused(let finding)): finding.code == TrustFinding.Code.pinMismatch.rawValue
            default: false
            }
        }
    }

    /// The connections, in their order.
    var steps: [Step]

    /// Whether all came out as they should.
    var isPassed: Bool { steps.allSatisfy(\.isPassed) }
}
