#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import HoldfastTransport
import Synchronization

/// The work of one task: sends its request and delivers the response.
final class PinnedLoad: @unchecked Sendable {  // reason: the protocol is used only on the task's work queue
    /// The delivery of a body.
    enum Delivery {
        /// The whole body at once, up to a size limit.
        case whole
        /// In parts as they arrive. Each part follows after the delegate has received the previous one.
        case parts
    }

    private struct State {
        var work: Task<Void, Never>?
        var isStopped = false
        var isSuspended = false
        /// A delivery that waits until the task is resumed.
        var held: CheckedContinuation<Void, Never>?
    }

    private let loader: PinnedURLProtocol
    private let queue: DispatchQueue
    private let delivery: Delivery
    private let request: PinnedRequest
    private let state = Mutex(State())

    init(_ loader: PinnedURLProtocol, queue: DispatchQueue, delivery: Delivery, _ request: PinnedRequest) {
        self.loader = loader
        self.queue = queue
        self.delivery = delivery
        self.request = request
    }

    func start() {
        state.withLock { state in
            state.work = Task { await self.run() }  // reason: a URL protocol starts loading in a synchronous call
        }
    }

    /// Stops the load after the task was cancelled or released.
    func stop() {
        let (work, held) = state.withLock { state in
            state.isStopped = true
            defer { (state.work, state.held) = (nil, nil) }
            return (state.work, state.held)
        }
        held?.resume()
        work?.cancel()
    }

    /// Suspends or resumes deliveries. A suspended task stops reading after the data in flight.
    func setSuspended(_ isSuspended: Bool) {
        let held = state.withLock { state in
            state.isSuspended = isSuspended
            guard !isSuspended else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.held = nil }
            return state.held
        }
        held?.resume()
    }

    private func run() async {
        do {
            try await request.run { response, reader in
                try await self.deliver { $0.urlProtocol($1, didReceive: response, cacheStoragePolicy: .notAllowed) }
                switch self.delivery {
                case .whole: try await self.deliverWhole(&reader)
                case .parts: try await self.deliverParts(&reader)
                }
            }
            try await deliver { $0.urlProtocolDidFinishLoading($1) }
        } catch {
            let error = URLError(bridging: error, url: request.request.url)
            try? await deliver { $0.urlProtocol($1, didFailWithError: error) }
        }
        state.withLock { $0.work = nil }
    }

    private func deliverWhole(_ reader: inout HTTPBodyReader) async throws {
        let data = try await reader.collect(upTo: request.bridge.maximumResponseBytes)
        guard !data.isEmpty else { return }
        try await deliver { $0.urlProtocol($1, didLoad: data) }
    }

    private func deliverParts(_ reader: inout HTTPBodyReader) async throws {
        while let part = try await reader.next() {
            guard !part.isEmpty else { continue }
            try await deliver { $0.urlProtocol($1, didLoad: Data(part)) }
            let delegates = request.asker.session.delegateQueue
            await withCheckedContinuation { continuation in
                delegates.addOperation { continuation.resume() }
            }
        }
    }

    /// Calls the protocol's client on the task's work queue while the task is not suspended. Throws after cancellation:
    /// FoundationNetworking has then notified all parties, and the client must not be called any more.
    private nonisolated(nonsending) func deliver(
        _ call: @escaping @Sendable (any URLProtocolClient, URLProtocol) -> Void
    ) async throws(CancellationError) {
        while true {
            let isDone: Bool? = await withCheckedContinuation { continuation in
                queue.async {
                    switch self.state.withLock({ ($0.isStopped, $0.isSuspended) }) {
                    case (true, _): continuation.resume(returning: nil)
                    case (false, true): continuation.resume(returning: false)
                    case (false, false):
                        if let client = self.loader.client { call(client, self.loader) }
                        continuation.resume(returning: true)
                    }
                }
            }
            switch isDone {
            case nil: throw CancellationError()
            case true?: return
            case false?: await resumed()
            }
        }
    }

    private nonisolated(nonsending) func resumed() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                guard state.isSuspended, !state.isStopped else { return false }
                state.held = continuation
                return true
            }
            if !isHeld { continuation.resume() }
        }
    }
}
#endif
