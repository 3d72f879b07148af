/// An error that the system reported.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The number of the error, as in `errno`.
    package let number: CInt

    /// Makes an error from its number.
    package init(_ number: CInt) {
        self.number = number
    }

    /// The error of the last call on this thread that failed.
    package static var last: SystemError { SystemError(errno) }

    /// The system's own words for the error.
    package var description: String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}
