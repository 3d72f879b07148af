/// What came back is not what was sent, or the connection ended.
struct WrongEcho: Error {
    var what: String
}
