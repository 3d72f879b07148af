import BenchSupport

/// Runs clients in turn, round by round, and in the reversed order in every second round.
struct Rounds {
    private let count: Int
    private var values: [String: [[Double]]] = [:]

    init(_ count: Int) {
        self.count = count
    }

    /// Calls `body` for each client and round. The result has the same figures in the same order in each call.
    mutating func run(_ clients: [any Client], _ body: (any Client) async throws -> [Double]) async throws {
        for round in 0..<count {
            let order = round.isMultiple(of: 2) ? clients : clients.reversed()
            for client in order {
                do {
                    values[client.name, default: []].append(try await body(client))
                } catch {
                    throw WrongResponse(client: client.name, what: "\(error)")
                }
            }
        }
    }

    /// Returns the figures. `names` are the names and units in the order of the results.
    func figures(_ clients: [any Client], _ names: [(measure: String, unit: String)]) -> [Figure] {
        names.enumerated().flatMap { index, name in
            clients.map { client in
                Figure(
                    name.measure, name.unit, client.name,
                    (values[client.name] ?? []).compactMap { index < $0.count ? $0[index] : nil })
            }
        }
    }
}
