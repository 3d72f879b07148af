import ChatBenchSupport
import ChatCenter
import Foundation
import Synchronization

/// Stores the lines of an SDK's log that are about network traffic.
final class LineCounter: ChatCenterUISDKObserver {
    private let lines = Mutex<[String]>([])

    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
        lines.withLock { $0.append(event) }
    }

    /// The sent and received items, in order, each without its size.
    var traffic: [String] {
        lines.withLock { lines in
            lines.filter { $0.contains("→ ") || $0.contains("← ") }
        }
    }

    /// The number of REST calls.
    var calls: Int { count("→ GET ") }
    /// The number of sent frames.
    var framesSent: Int { count(": → ") }
    /// The number of received frames.
    var framesReceived: Int { count(": ← ") }

    private func count(_ text: String) -> Int {
        lines.withLock { lines in lines.count { $0.contains(text) } }
    }
}

extension LineCounter {
    /// The kinds of traffic with their counts, in the order of their first appearance.
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

extension Site {
    /// Returns an SDK for this server whose network traffic is logged.
    func sdk(_ folder: URL, log: LineCounter?) throws -> ChatCenterUISDK {
        guard let log else { return try sdk(folder) }
        let sdk = try sdk(folder, logs: [.network, .error])
        sdk.delegateExecutor = .inline
        sdk.observer = log
        return sdk
    }
}
