/// What a network service throws beside what its transport and its JSON coders throw.
public enum NetworkError: Error, Sendable, Equatable {
    /// The response cannot be represented as an HTTP response.
    case invalidResponseType
    /// The status is none that HTTP defines.
    case invalidStatusCode(Int?)
    /// The status is none of success.
    case httpStatusError(HTTPStatusError)
    /// The environment has no base URL.
    case missingBaseURL
    /// The endpoint's path and query do not make a URL with the environment's base URL.
    case invalidEndpoint(path: String)
}
