/// An error for a wrong echo or a closed connection.
struct WrongEcho: Error {
    var what: String
}
