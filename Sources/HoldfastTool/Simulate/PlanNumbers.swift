import ArgumentParser

/// Numbers of entries of a plan, with commas between them.
struct PlanNumbers: ExpressibleByArgument, Hashable, Sendable {
    var numbers: [Int]

    init?(argument: String) {
        numbers = []
        for part in argument.split(separator: ",") {
            guard let number = Int(part), number >= 0 else { return nil }
            numbers.append(number)
        }
    }
}
