/// Why a case cannot be evaluated, in one sentence that names the field.
struct CaseError: Error, Hashable, CustomStringConvertible {
    /// The sentence.
    var sentence: String

    /// Makes an error.
    init(_ sentence: String) {
        self.sentence = sentence
    }

    var description: String { sentence }
}
