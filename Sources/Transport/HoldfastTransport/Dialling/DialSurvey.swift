package import HoldfastTrust
package import NIOCore
import Synchronization

/// What a look at a server found: what it sent, what several judges say of it, and what the handshake settled, also
/// where each of them refuses it.
///
/// A survey goes through the same dialler and the same gate as every other connection. The connection is closed as soon
/// as the handshake is over, and no byte of an application is sent or read on it.
package struct DialSurvey: Sendable {
    /// What the server sent; `nil` if the handshake did not get that far.
    package var presented: PresentedChain?
    /// What each judge says, in the order in which they were given; empty if none was asked.
    package var verdicts: [TrustVerdict] = []
    /// What the handshake settled, or why there is nothing. The verdict inside is no judgement on the server.
    package var connection: Result<ConnectionFacts, TransportError>

    /// Looks at a server. The judges take the place of the configuration's trust; whatever they say, the handshake goes on to its end.
    ///
    /// Cancelling the task ends the dial.
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

    /// Connects as a client would, by the trust of the configuration, and closes the connection: whether a server is
    /// really refused is seen here alone.
    ///
    /// Cancelling the task ends the dial.
    package static func dial(
        _ target: DialTarget, configuration: TransportConfiguration, deadlines: DialDeadlines, on loop: any EventLoop
    ) async -> Result<ConnectionFacts, TransportError> {
        guard !Task.isCancelled else {
            return .failure(TransportError(.cancelled, in: .preparing, "The task that was to connect was cancelled."))
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

    /// Keeps what the gate was shown.
    private final class Sight: Sendable {
        private let state = Mutex<(presented: PresentedChain?, verdicts: [TrustVerdict])>((nil, []))

        var seen: (presented: PresentedChain?, verdicts: [TrustVerdict]) { state.withLock { $0 } }

        private func keep(_ presented: PresentedChain, _ verdicts: [TrustVerdict]) {
            state.withLock { $0 = (presented, verdicts) }
        }

        /// Has the judges judge, and lets the handshake go on whatever they say.
        func context(_ judges: [TrustContext]) -> TrustContext {
            let passing = TrustContext.dangerouslyAcceptAnyCertificate()
            return TrustContext(name: "survey") { chain, subject, time in
                let judgements = judges.map { $0.judge(chain, for: subject, at: time) }
                return .later {
                    var verdicts: [TrustVerdict] = []
                    for judgement in judgements { verdicts.append(await judgement.verdict()) }
                    // The deadline has passed where this is cancelled: what was said then was said under pressure.
                    if !Task.isCancelled { self.keep(chain, verdicts) }
                    return await passing.judge(chain, for: subject, at: time).verdict()
                }
            }
        }
    }
}
