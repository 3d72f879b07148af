import ChatDevServer
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust

/// Checks an app's certificates both ways: the app connects to its server, and refuses an impostor.
///
/// The impostors run on the loopback under the host's name, with certificates from a new authority. A client that
/// trusts this authority first checks that they work: otherwise a refusal would prove nothing.
struct TwoWayCheck: Sendable {
    /// The size of the foreign certificates that an impostor sends after its own, in bytes. The TLS library accepts 100
    /// KiB in total.
    private static let smuggledBytes = 64 * 1024
    /// The maximum number of foreign certificates: chains of more than 100 are refused because of their length.
    private static let smuggledCount = 90

    /// The app's certificates.
    var shelf: ProbeShelf
    /// Connects to servers.
    var prober: Prober

    /// Runs the check. `server` is the outcome for the server itself.
    func report(on target: ProbeTarget, server: ProbeOutcome) async -> TwoWayReport {
        var steps = [TwoWayReport.Step(name: "the server itself", expectation: .allow, outcome: server)]
        do {
            steps += try await impostors(of: target)
        } catch {
            let failure = ProbeFailure(code: "impostor", reason: "the impostor cannot be created: \(error)")
            steps.append(TwoWayReport.Step(name: "an impostor", expectation: .block, outcome: .failed(failure)))
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
            [await step("an impostor that sends the listed certificates after its own", .block, target, server, victim)]
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
            let failure = ProbeFailure(code: "impostor", reason: "the impostor could not listen on a port")
            return TwoWayReport.Step(name: name, expectation: expectation, outcome: .failed(failure))
        }
        let result = await prober.dial(ProbeTarget(host: target.host, port: port), trust: trust)
        return TwoWayReport.Step(name: name, expectation: expectation, outcome: ProbeOutcome(result))
    }
}

/// The result of the two-way check.
struct TwoWayReport: Hashable, Sendable {
    /// One connection.
    struct Step: Hashable, Sendable {
        /// The server, in words.
        var name: String
        /// The expected result.
        var expectation: ProbeExpectation
        /// The actual outcome.
        var outcome: ProbeOutcome

        /// Whether the outcome is as expected. Only a refusal because of the keys counts: an expired certificate or an
        /// overlong chain proves nothing about them.
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

    /// Whether all steps passed.
    var isPassed: Bool { steps.allSatisfy(\.isPassed) }
}
