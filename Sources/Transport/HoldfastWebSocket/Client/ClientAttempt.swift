import HoldfastTransport
import Logging
import NIOCore
import Synchronization

/// One connection attempt, from the dial to the open connection or to the error that the caller receives.
final class ClientAttempt: Sendable {
    typealias Waiter = CheckedContinuation<WebSocketConnection, any Error>

    private enum State {
        /// Not started. Next: `dialling` or `over`.
        case new
        /// Resolving, connecting and TLS. Next: `upgrading` or `over`.
        case dialling(Waiter)
        /// Waiting for the server's answer. Next: `over`.
        case upgrading(Waiter, Dialled)
        /// The caller has its result.
        case over
    }

    let handshake: ClientHandshake
    let options: WebSocketOptions
    let limits: TransportLimits
    let logger: Logger?
    private let entropy: WebSocketEntropy
    private let state = Mutex(State.new)

    init(
        handshake: ClientHandshake, options: WebSocketOptions, limits: TransportLimits, entropy: WebSocketEntropy,
        logger: Logger?
    ) {
        self.handshake = handshake
        self.options = options
        self.limits = limits
        self.entropy = entropy
        self.logger = logger
    }

    /// Registers the waiting caller. Returns `false` if the task is already cancelled; the caller was then resumed with
    /// an error.
    func begin(_ waiter: Waiter) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .dialling(waiter)
            return true
        }
        if !isNew { waiter.resume(throwing: Self.cancelled(in: .preparing)) }
        return isNew
    }

    /// Handles the result of the dial. Called on the channel's event loop.
    func dialled(_ result: Result<Dialled, any Error>) {
        switch result {
        case .failure(let error):
            settle(.failure(error))
        case .success(let dialled):
            let goesOn = state.withLock { state in
                guard case .dialling(let waiter) = state else { return false }
                state = .upgrading(waiter, dialled)
                return true
            }
            guard goesOn else { return dialled.cut() }
            do {
                try upgrade(dialled)
            } catch {
                dialled.cut()
                settle(
                    .failure(
                        TransportError(
                            .connectionClosed, in: .upgrading, "The connection closed during the upgrade: \(error).")))
            }
        }
    }

    private func upgrade(_ dialled: Dialled) throws {
        let handler = ClientUpgradeHandler(attempt: self, facts: dialled.facts)
        try dialled.channel.pipeline.syncOperations.addHandler(handler)
        dialled.begin()
    }

    /// Returns the settings of the open connection.
    func parts(_ granted: ClientHandshake.Grant, facts: ConnectionFacts) -> WebSocketConnection.Parts {
        WebSocketConnection.Parts(
            role: .client, settings: options.settings(granted.deflate), entropy: entropy,
            subprotocol: granted.subprotocol, facts: facts, logger: logger)
    }

    /// Resumes the caller with the result, unless it already has one.
    func settle(_ result: Result<WebSocketConnection, any Error>) {
        end().waiter?.resume(with: result)
    }

    /// Handles the cancellation of the task. Called from any thread.
    func cancel() {
        let (waiter, dialled) = end()
        dialled?.cut()
        waiter?.resume(throwing: Self.cancelled(in: dialled == nil ? .connecting : .upgrading))
    }

    /// Ends the attempt. Returns the caller, unless it already has a result, and the connection.
    private func end() -> (waiter: Waiter?, dialled: Dialled?) {
        state.withLock { state in
            defer { state = .over }
            switch state {
            case .dialling(let waiter): return (waiter, nil)
            case .upgrading(let waiter, let dialled): return (waiter, dialled)
            case .new, .over: return (nil, nil)
            }
        }
    }

    private static func cancelled(in phase: TransportError.Phase) -> TransportError {
        TransportError(.cancelled, in: phase, "The task that opened the WebSocket was cancelled.")
    }
}
