import ChatCenter
import Foundation
import Synchronization

/// Keeps the lines of an SDK's log that tell of something on the network.
final class LineCounter: ChatCenterUISDKObserver {
    private let lines = Mutex<[String]>([])

    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
        lines.withLock { $0.append(event) }
    }

    /// What went out and came in, in order, each without its size.
    var traffic: [String] {
        lines.withLock { lines in
            lines.filter { $0.contains("→ ") || $0.contains("← ") }
        }
    }

    /// How many REST calls were made.
    var calls: Int { count("→ GET ") }
    /// How many frames were sent.
    var framesSent: Int { count(": → ") }
    /// How many frames came.
    var framesReceived: Int { count(": ← ") }

    private func count(_ text: String) -> Int {
        lines.withLock { lines in lines.count { $0.contains(text) } }
    }
}

extension LineCounter {
    /// What went to and fro, each kind with its number, in the order of their first appearance.
    var summary: [String] {
        var names: [String] = []
        var counts: [String: Int] = [:]
        for line in traffic {
            guard let arrow = line.firstIndex(where: { $0 == "→" || $0 == "←" }) else { continue }
            let name = String(line[arrow...].prefix { $0 != "," && $0 != "(" }).trimmingCharacters(in: .whitespaces)
            if counts[name] == nil { names.append(name) }
            counts[name, default: 0] += 1
        }
        return names.map { "`\($0)` × \(counts[$0] ?? 0)" }
    }
}
