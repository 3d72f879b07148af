extension TransportError {
    /// The codes that label a metric or a span. The type is open: the closures of a caller may throw a code of their own.
    static let labelled: Set<Code> = [
        .invalidURL, .invalidRequest, .cleartextRefused, .localAddressRefused, .unresolvedHost, .connectionRefused,
        .noConnectivity,
        .proxyFailed, .invalidConfiguration, .trustRefused, .tlsHandshakeFailed, .noCommonProtocol, .timedOut,
        .connectionClosed, .malformedResponse, .headTooLarge, .tooManyFields, .tooManyInformationalResponses,
        .tooManyFrames, .responseTooLarge, .redirectRefused, .tooManyRedirects, .redirectLoop, .bodyNotRepeatable,
        .decodingFailed, .decompressedTooLarge, .tooManyWaiting, .bodyFailed, .cancelled, .shutDown,
    ]

    /// The label for what a request or a dial failed with: one of a fixed list, `caller` for what a closure of the caller has
    /// thrown, or `other`.
    static func label(of error: any Error) -> String {
        switch error {
        case let error as TransportError: labelled.contains(error.code) ? error.code.rawValue : "other"
        case is CancellationError: Code.cancelled.rawValue
        default: "caller"
        }
    }
}
