/// Why a secret cannot be kept, read or forgotten. It never holds the secret.
public enum KeyChainStoreError: Error, Hashable, Sendable {
    /// The value cannot be represented in UTF-8. Swift strings always can; kept for your `switch`.
    case stringEncodingFailed
    /// What is stored is no UTF-8 text.
    case stringDecodingFailed
    /// Apple's key chain answered with this `OSStatus`.
    case unexpectedStatus(Int32)
    /// The store on files cannot be used, or what is in it cannot be believed.
    case file(KeyChainFileError)
    /// The Secret Service cannot be used.
    case secretService(SecretServiceError)
}

extension KeyChainStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stringEncodingFailed: "The value cannot be encoded."
        case .stringDecodingFailed: "What is stored is no text."
        case .unexpectedStatus(let status): "The key chain answered with status \(status)."
        case .file(let error): error.description
        case .secretService(let error): error.description
        }
    }
}
