/// The one field that is wanted of a case that cannot be read.
struct CaseName: Decodable {
    /// The name that the answer repeats.
    var id: String
}
