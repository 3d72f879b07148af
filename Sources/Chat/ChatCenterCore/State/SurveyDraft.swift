/// What the user has chosen in a survey and not sent yet.
struct SurveyDraft: Hashable, Sendable {
    struct Rating: Hashable, Sendable {
        var question: Int64
        var rate: Int64
    }

    var survey: MessageID
    /// In the order of the first choice.
    var ratings: [Rating] = []
    var comment: String?

    /// So many surveys may be under way; the oldest draft is forgotten beyond.
    static let longestList = 8

    func rate(of question: Int64) -> Int64? { ratings.first { $0.question == question }?.rate }

    mutating func set(_ rate: Int64, of question: Int64) {
        if let index = ratings.firstIndex(where: { $0.question == question }) {
            ratings[index].rate = rate
        } else {
            ratings.append(Rating(question: question, rate: rate))
        }
    }
}
