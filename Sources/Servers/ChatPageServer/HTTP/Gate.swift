import ChatCenter
import HTTPTypes
import Synchronization

/// Limits operations at the same time, by their number or by another weight such as bytes in memory: of all visitors
/// together, and of each visitor. Further ones are refused, not queued. Thread-safe.
final class Gate: Sendable {
    /// What a gate limits. The raw value is the code of the refusal for a visitor who uses too much.
    enum Kind: String, Hashable, Sendable {
        case uploads = "tooManyUploads"
        case downloads = "tooManyDownloads"
        case fetches = "tooManyFetches"

        /// The text of the refusal.
        fileprivate var text: ChatTextKey {
            switch self {
            case .uploads: .serverTooManyUploads
            case .downloads: .serverTooManyDownloads
            case .fetches: .serverTooManyFetches
            }
        }
    }

    /// The room of one operation. It is free again when nothing refers to the place any more.
    final class Place: Sendable {
        private let gate: Gate
        private let visitor: ChatPageVisitor
        private let weight: Int64

        fileprivate init(_ gate: Gate, _ visitor: ChatPageVisitor, _ weight: Int64) {
            self.gate = gate
            self.visitor = visitor
            self.weight = weight
        }

        deinit { gate.leave(visitor, weight) }
    }

    private struct Taken {
        var all: Int64 = 0
        /// Contains only visitors with a weight.
        var visitors: [ChatPageVisitor: Int64] = [:]
    }

    private let kind: Kind
    private let limit: Int64
    private let visitorLimit: Int64
    private let taken = Mutex(Taken())

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - kind: What is limited.
    ///   - limit: The maximum weight of all operations together.
    ///   - visitorLimit: The maximum weight of the operations of one visitor.
    init(_ kind: Kind, _ limit: Int64, perVisitor visitorLimit: Int64) {
        self.kind = kind
        self.limit = limit
        self.visitorLimit = visitorLimit
    }

    /// Takes the room of one operation of a visitor.
    ///
    /// Throws ``PageFailure`` with status 503 if the server has not enough room, and with status 429 if the visitor
    /// takes too much of it.
    func enter(_ visitor: ChatPageVisitor, weight: Int64 = 1) throws(PageFailure) -> Place {
        let weight = max(0, weight)
        let failure: PageFailure? = taken.withLock { taken in
            let own = taken.visitors[visitor] ?? 0
            guard weight <= visitorLimit - own else {
                return PageFailure(.tooManyRequests, kind.rawValue, kind.text)
            }
            guard weight <= limit - taken.all else { return .busy }
            taken.all += weight
            if weight > 0 { taken.visitors[visitor] = own + weight }
            return nil
        }
        if let failure { throw failure }
        return Place(self, visitor, weight)
    }

    /// Runs an operation. Throws as ``enter(_:weight:)``.
    func pass<Value>(_ visitor: ChatPageVisitor, _ body: () async throws -> Value) async throws -> Value {
        let place = try enter(visitor)
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }

    private func leave(_ visitor: ChatPageVisitor, _ weight: Int64) {
        taken.withLock { taken in
            taken.all -= weight
            let rest = (taken.visitors[visitor] ?? 0) - weight
            taken.visitors[visitor] = rest > 0 ? rest : nil
        }
    }
}
