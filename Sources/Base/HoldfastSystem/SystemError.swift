/// An error that the system reported.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The number of the error, as in `errno`.
    package let number: CInt

    /// Creates an error from its number.
    package init(_ number: CInt) {
        self.number = number
    }

    /// The error of the last failed call on this thread.
    package static var last: SystemError { SystemError(errno) }

    /// The system's description of the error.
    package var description: String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}
