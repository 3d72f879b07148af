/// Something came out otherwise than it has to; its time would mean nothing.
struct WrongResult: Error {
    var subject: String
}
