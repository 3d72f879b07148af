extension ChatDevServerLimits {
    /// Throws for limits that would admit nothing, and for limits that exceed any machine.
    func check() throws(ChatDevServerError) {
        let sizes: [(String, Int64)] = [
            ("connections", Int64(connections)), ("messageBytes", Int64(messageBytes)),
            ("headerBytes", Int64(headerBytes)), ("headerFields", Int64(headerFields)), ("storedBytes", storedBytes),
        ]
        for (name, value) in sizes where !(1...(1 << 48)).contains(value) {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "\(value) is not a valid limit for \(name): use 1 to 2^48.")
        }
        guard idleTimeout > .zero, idleTimeout <= .seconds(86_400) else {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "The idle timeout must be greater than zero and at most one day.")
        }
    }
}
