extension TransportError {
    /// The codes that are used as labels of a metric or a span. The type is open, because the closures of a caller may
    /// throw other codes.
    static let labelled: Set<Code> = [
        .invalidURL, .invalidRequest, .cleartextRefused, .localAddressRefused, .unresolvedHost, .connectionRefused,
        .noConnectivity,
        .proxyFailed, .invalidConfiguration, .trustRefused, .tlsHandshakeFailed, .noCommonProtocol, .timedOut,
        .connectionClosed, .malformedResponse, .headTooLarge, .tooManyFields, .tooManyInformationalResponses,
        .tooManyFrames, .responseTooLarge, .redirectRefused, .tooManyRedirects, .redirectLoop, .bodyNotRepeatable,
        .decodingFailed, .decompressedTooLarge, .tooManyWaiting, .bodyFailed, .cancelled, .shutDown,
    ]

    /// Returns the label of an error: a code of a fixed list, `caller` for an error that a closure of the caller threw,
    /// or `other`.
    static func label(of error: any Error) -> String {
        switch error {
        case let error as TransportError: labelled.contains(error.code) ? error.code.rawValue : "other"
        case is CancellationError: Code.cancelled.rawValue
        default: "caller"
        }
    }
}
