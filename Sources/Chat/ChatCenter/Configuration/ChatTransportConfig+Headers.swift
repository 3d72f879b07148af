import HTTPTypes

extension ChatTransportConfig {
    static func problems(inHeaders headers: [String: String]) -> [ChatTransportProblem] {
        headers.sorted { $0.key < $1.key }.compactMap { name, value in
            guard HTTPField.Name(name) != nil else {
                return ChatTransportProblem(
                    .dataStoreHTTPHeaders, .invalidHeader, given: name, reason: "“\(name)” is no name of a header.")
            }
            guard HTTPField.isValidValue(value) else {
                // The value may be a secret: it is not repeated.
                return ChatTransportProblem(
                    .dataStoreHTTPHeaders, .invalidHeader, given: name,
                    reason: "The value of the header “\(name)” holds a line break or another forbidden character.")
            }
            return nil
        }
    }
}
