import ChatDriverSimulation
import ChatSimulation

/// What runs in the worlds: the chat's cores, or the driver that the SDK ships.
enum SimulatedWorlds: Hashable, Sendable {
    /// The cores alone, with a mistake that is made on purpose.
    case cores(PlantedBug?)
    /// The driver over its store, with a mistake that is made on purpose.
    case drivers(DriverBug?)

    /// The worlds of a command line. Returns `nil` if they know no such mistake.
    init?(drivers: Bool, planted: String?) {
        if drivers {
            let bug = planted.map { DriverBug(rawValue: $0) }
            if let bug, bug == nil { return nil }
            self = .drivers(bug ?? nil)
        } else {
            let bug = planted.map { PlantedBug(rawValue: $0) }
            if let bug, bug == nil { return nil }
            self = .cores(bug ?? nil)
        }
    }

    /// The names of all mistakes.
    static func bugs(drivers: Bool) -> [String] {
        drivers ? DriverBug.allCases.map(\.rawValue) : PlantedBug.allCases.map(\.rawValue)
    }

    /// The mistake that is made on purpose.
    var plantedBug: String? {
        switch self {
        case .cores(let bug): bug?.rawValue
        case .drivers(let bug): bug?.rawValue
        }
    }

    /// The rules that the mistake breaks; `nil` without a mistake.
    var brokenRules: [Rule]? {
        switch self {
        case .cores(let bug): bug?.rules
        case .drivers(let bug): bug?.rules
        }
    }

    /// The same worlds without the mistake.
    var withoutBug: SimulatedWorlds {
        switch self {
        case .cores: .cores(nil)
        case .drivers: .drivers(nil)
        }
    }

    /// The options of the command that name these worlds.
    var arguments: String {
        let driver = if case .drivers = self { " --driver" } else { "" }
        return driver + (plantedBug.map { " --planted \($0)" } ?? "")
    }

    /// Runs a seed once.
    func run(_ seed: UInt64, plan: Plan?, traceLines: Int = 0) -> SimulationOutcome {
        switch self {
        case .cores: Simulation.run(seed, plan: plan, options: options(traceLines))
        case .drivers(let bug): DriverSimulation.run(seed, plan: plan, options: options(traceLines), bug: bug)
        }
    }

    /// Runs a seed, and a second time through the codec if it is the seed's turn. The driver's worlds always use it.
    func check(_ seed: UInt64, plan: Plan?) -> SimulationOutcome {
        switch self {
        case .cores: Simulation.check(seed, plan: plan, options: options(0))
        case .drivers: run(seed, plan: plan)
        }
    }

    private func options(_ traceLines: Int) -> SimulationOptions {
        var options = SimulationOptions()
        options.traceLines = traceLines
        if case .cores(let bug) = self { options.plantedBug = bug }
        return options
    }
}
