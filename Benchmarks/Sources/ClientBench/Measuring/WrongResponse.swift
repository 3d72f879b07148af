/// An error for a response that differs from what the server sent.
struct WrongResponse: Error {
    var bytes: Int
}
