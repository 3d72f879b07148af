/// A response that is not the one that the server sent.
struct WrongResponse: Error {
    var bytes: Int
}
