#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileStore {
    /// Why a file cannot be used.
    package struct Failure: Error, Hashable {
        /// What a caller may want to tell apart.
        package enum Kind: Hashable, Sendable {
            /// Others than the owner may use the file or the folder.
            case tooOpen
            /// The file or the folder belongs to somebody else.
            case foreignOwner
            /// It is a link, a device, a pipe; or it is no folder where one is wanted.
            case unsuitable
            /// It has more bytes than are read.
            case tooLarge
            /// The system reported an error.
            case system
        }

        /// What kind of failure it is.
        package var kind: Kind
        /// Words for a person, without a full stop.
        package var reason: String

        init(_ kind: Kind, _ reason: String) {
            self.kind = kind
            self.reason = reason
        }

        /// With the system's own words for what went wrong last.
        init(system what: String) {
            kind = .system
            reason = "\(what): \(String(cString: strerror(errno)))"
        }
    }
}
