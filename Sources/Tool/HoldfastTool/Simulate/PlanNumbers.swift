import ArgumentParser

/// Numbers of entries of a plan, with commas between them; `none` is a plan without entries.
struct PlanNumbers: ExpressibleByArgument, Hashable, Sendable {
    let numbers: [Int]

    private static let none = "none"

    init(_ numbers: [Int]) {
        self.numbers = numbers
    }

    init?(argument: String) {
        guard argument != Self.none else {
            self.init([])
            return
        }
        var numbers: [Int] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part), number >= 0 else { return nil }
            numbers.append(number)
        }
        self.init(numbers)
    }

    /// As it is written on a command line.
    var text: String { numbers.isEmpty ? Self.none : numbers.map { String($0) }.joined(separator: ",") }
}
