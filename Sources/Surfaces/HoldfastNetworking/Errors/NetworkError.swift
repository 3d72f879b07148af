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

/// A response whose status is none of success.
public enum HTTPStatusError: Error, Sendable, Equatable {
    /// 401.
    case unauthorized
    /// 403.
    case forbidden
    /// 404.
    case notFound
    /// 429.
    case rateLimited
    /// 500.
    case internalServerError
    /// 503.
    case serviceUnavailable
    /// Any other 4xx.
    case clientError(Int)
    /// Any other 5xx.
    case serverError(Int)
    /// 3xx: a redirect that the transport hands to the caller, or `304 Not Modified`.
    case redirect(Int)

    /// The error of a status; `nil` for 1xx and 2xx, and for a number that is no status.
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

    /// The status.
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
