extension ChatDevServerLimits {
    /// Refuses limits that would let nothing in, and those that no machine has.
    func check() throws(ChatDevServerError) {
        let sizes: [(String, Int64)] = [
            ("connections", Int64(connections)), ("messageBytes", Int64(messageBytes)),
            ("headerBytes", Int64(headerBytes)), ("headerFields", Int64(headerFields)), ("storedBytes", storedBytes),
        ]
        for (name, value) in sizes where !(1...(1 << 48)).contains(value) {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "\(value) is no limit for \(name): it must be from 1 to 2^48.")
        }
        guard idleTimeout > .zero, idleTimeout <= .seconds(86_400) else {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "The idle time-out must be longer than nothing and at most a day.")
        }
    }
}
