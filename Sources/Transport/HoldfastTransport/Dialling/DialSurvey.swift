package import HoldfastTrust
package import NIOCore
import Synchronization

/// The result of inspecting a server: its certificates, the verdicts of several trust contexts, and the outcome of the
/// handshake. The handshake completes even if all of them refuse the server.
///
/// The inspection uses the same dialler and verification as every other connection. The connection is closed as soon as
/// the handshake ends, and no application data is sent or read.
package struct DialSurvey: Sendable {
    /// The certificate chain that the server presented; `nil` if the handshake failed earlier.
    package var presented: PresentedChain?
    /// The verdicts in the order of the trust contexts; empty if no verification took place.
    package var verdicts: [TrustVerdict] = []
    /// The properties of the connection, or the error. The contained verdict does not apply to the server.
    package var connection: Result<ConnectionFacts, TransportError>

    /// Inspects a server. `judges` replace the trust of the configuration; the handshake completes whatever their
    /// verdicts.
    ///
    /// Cancelling the task cancels the dial.
    package static func of(
        _ target: DialTarget, judges: [TrustContext], configuration: TransportConfiguration, deadlines: DialDeadlines,
        on loop: any EventLoop
    ) async -> DialSurvey {
        let sight = Sight()
        var configuration = configuration
        configuration.trust = sight.context(judges)
        let connection = await dial(target, configuration: configuration, deadlines: deadlines, on: loop)
        let seen = sight.seen
        return DialSurvey(presented: seen.presented, verdicts: seen.verdicts, connection: connection)
    }

    /// Connects as a client would, with the trust of the configuration, and closes the connection. Only this shows
    /// whether a client refuses the server.
    ///
    /// Cancelling the task cancels the dial.
    package static func dial(
        _ target: DialTarget, configuration: TransportConfiguration, deadlines: DialDeadlines, on loop: any EventLoop
    ) async -> Result<ConnectionFacts, TransportError> {
        guard !Task.isCancelled else {
            return .failure(TransportError(.cancelled, in: .preparing, "The task was cancelled."))
        }
        let dialler = NetworkDialler(configuration: configuration)
        return await withTaskCancellationHandler {
            do {
                let dialled = try await dialler.dial(target, deadlines: deadlines, on: loop).get()
                dialled.cut()
                return .success(dialled.facts)
            } catch let error as TransportError {
                return .failure(error)
            } catch {
                return .failure(TransportError(.connectionClosed, in: .connecting, "\(error)"))
            }
        } onCancel: {
            dialler.shutDown()
        }
    }

    /// Stores the certificates and the verdicts.
    private final class Sight: Sendable {
        private let state = Mutex<(presented: PresentedChain?, verdicts: [TrustVerdict])>((nil, []))

        var seen: (presented: PresentedChain?, verdicts: [TrustVerdict]) { state.withLock { $0 } }

        private func keep(_ presented: PresentedChain, _ verdicts: [TrustVerdict]) {
            state.withLock { $0 = (presented, verdicts) }
        }

        /// Returns a trust context that asks all judges and permits the handshake whatever their verdicts.
        func context(_ judges: [TrustContext]) -> TrustContext {
            let passing = TrustContext.dangerouslyAcceptAnyCertificate()
            return TrustContext(name: "survey") { chain, subject, time in
                let judgements = judges.map { $0.judge(chain, for: subject, at: time) }
                return .later {
                    var verdicts: [TrustVerdict] = []
                    for judgement in judgements { verdicts.append(await judgement.verdict()) }
                    // Verdicts after a cancellation are dropped, because the deadline has passed.
                    if !Task.isCancelled { self.keep(chain, verdicts) }
                    return await passing.judge(chain, for: subject, at: time).verdict()
                }
            }
        }
    }
}
