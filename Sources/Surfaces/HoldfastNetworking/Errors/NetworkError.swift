/// An error of a network service, in addition to those of its transport and JSON coders.
///
/// - Remedy: Correct the environment or the endpoint. For a status, read `HTTPStatusError`.
public enum NetworkError: Error, Sendable, Equatable {
    /// The response cannot be represented as an HTTP response.
    case invalidResponseType
    /// The status code is not defined by HTTP.
    case invalidStatusCode(Int?)
    /// The status code does not indicate success.
    case httpStatusError(HTTPStatusError)
    /// The environment has no base URL.
    case missingBaseURL
    /// The endpoint's path and query do not make a URL with the environment's base URL.
    case invalidEndpoint(path: String)
}

/// A response status that does not indicate success.
///
/// - Remedy: Handle the status. `RetryPolicy` repeats requests after temporary ones.
public enum HTTPStatusError: Error, Sendable, Equatable {
    /// 401 Unauthorized.
    case unauthorized
    /// 403 Forbidden.
    case forbidden
    /// 404 Not Found.
    case notFound
    /// 429 Too Many Requests.
    case rateLimited
    /// 500 Internal Server Error.
    case internalServerError
    /// 503 Service Unavailable.
    case serviceUnavailable
    /// Any other 4xx.
    case clientError(Int)
    /// Any other 5xx.
    case serverError(Int)
    /// 3xx: a redirect that the transport returns to the caller, or `304 Not Modified`.
    case redirect(Int)

    /// Makes the error for a status code; `nil` for 1xx, 2xx and numbers that are not a status code.
    public init?(statusCode: Int) {
        switch statusCode {
        case 401: self = .unauthorized
        case 403: self = .forbidden
        case 404: self = .notFound
        case 429: self = .rateLimited
        case 500: self = .internalServerError
        case 503: self = .serviceUnavailable
        case 300..<400: self = .redirect(statusCode)
        case 400..<500: self = .clientError(statusCode)
        case 500..<600: self = .serverError(statusCode)
        default: return nil
        }
    }

    /// The status code.
    public var statusCode: Int {
        switch self {
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .rateLimited: 429
        case .internalServerError: 500
        case .serviceUnavailable: 503
        case .clientError(let code), .serverError(let code), .redirect(let code): code
        }
    }
}
