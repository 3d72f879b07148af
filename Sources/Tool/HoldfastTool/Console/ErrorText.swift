import ChatCenter
import Foundation
import HoldfastTransport
import HoldfastWebSocket
import NIOCore

/// Describes errors for users, without type names or dumps of an error's fields.
enum ErrorText {
    /// Returns one sentence that describes an error of any kind.
    static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as ToolError: error.sentence
        case let error as TransportError: plain(error.reason)
        case let error as WebSocketError: plain(error.reason)
        case let error as ChatNetworkError: ChatErrorText.sentence(error)
        case let error as ChatAuthorizationError: ChatErrorText.sentence(error)
        case let error as ChatStorageError: plain(error.reason)
        case let error as ChatSendError: error.underlying.map { sentence($0) } ?? plain(error.reason)
        case let error as IOError: words(forErrno: error.errnoCode)
        case let error as POSIXError: words(forErrno: error.code.rawValue)
        case let error as CocoaError: words(for: error)
        default: plain(String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    /// Returns a sentence without its full stop, for use inside another sentence.
    static func clause(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// Removes the names of functions and types from an error text of the network stack.
    ///
    /// Leaves longer texts unchanged: they come from a server, and the search below takes quadratic time.
    static func plain(_ sentence: String) -> String {
        guard sentence.utf8.count <= longestPlain else { return sentence }
        return
            sentence
            // "read(descriptor:pointer:size:): Connection reset by peer) (errno: 104)"
            .replacing(#/\w+\((?:\w+:)+\): /#, with: "")
            .replacing(#/\)? \(errno: \d+\)/#, with: "")
            // "[IPv4]localhost/127.0.0.1:1"
            .replacing(#/\[IPv4\][^ /]*/([0-9.]+:\d+)/#) { String($0.output.1) }
            .replacing(#/\[IPv6\][^ /]*/([0-9A-Fa-f:.%\w]+):(\d+)/#) { "[\($0.output.1)]:\($0.output.2)" }
    }

    /// The maximum length in bytes: more than any error text of the network stack has. A longer text is printed
    /// unchanged.
    private static let longestPlain = 1024

    private static func words(forErrno code: Int32) -> String { String(cString: strerror(code)) }

    private static func words(for error: CocoaError) -> String {
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error {
            if let cause = cause as? POSIXError { return words(forErrno: cause.code.rawValue) }
            let cause = cause as NSError
            if cause.domain == NSPOSIXErrorDomain { return words(forErrno: Int32(truncatingIfNeeded: cause.code)) }
        }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return words(forErrno: ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: return words(forErrno: EACCES)
        case .fileWriteFileExists: return words(forErrno: EEXIST)
        case .fileWriteOutOfSpace: return words(forErrno: ENOSPC)
        case .fileWriteVolumeReadOnly: return words(forErrno: EROFS)
        default: return error.localizedDescription
        }
    }
}
