/// An error for an operation with a wrong result. Its time would be meaningless.
struct WrongResult: Error {
    var subject: String
}
