import ChatDriverSimulation
import ChatSimulation

/// What the worlds run: the chat's cores, or the driver that the SDK ships.
enum SimulatedWorlds: Hashable, Sendable {
    /// Only the cores, optionally with a planted bug.
    case cores(PlantedBug?)
    /// The driver over its store, optionally with a planted bug.
    case drivers(DriverBug?)

    /// Creates the worlds of a command line. Returns `nil` if the bug is unknown.
    init?(drivers: Bool, planted: String?) {
        if let planted, !Self.bugs(drivers: drivers).contains(planted) { return nil }
        if drivers {
            self = .drivers(planted.flatMap { DriverBug(rawValue: $0) })
        } else {
            self = .cores(planted.flatMap { PlantedBug(rawValue: $0) })
        }
    }

    /// Returns the names of all bugs that can be planted.
    static func bugs(drivers: Bool) -> [String] {
        drivers ? DriverBug.allCases.map(\.rawValue) : PlantedBug.allCases.map(\.rawValue)
    }

    /// The name of the planted bug.
    var plantedBug: String? {
        switch self {
        case .cores(let bug): bug?.rawValue
        case .drivers(let bug): bug?.rawValue
        }
    }

    /// The rules that the planted bug breaks; `nil` without a bug.
    var brokenRules: [Rule]? {
        switch self {
        case .cores(let bug): bug?.rules
        case .drivers(let bug): bug?.rules
        }
    }

    /// The same worlds without the planted bug.
    var withoutBug: SimulatedWorlds {
        switch self {
        case .cores: .cores(nil)
        case .drivers: .drivers(nil)
        }
    }

    /// The options of the command that select these worlds.
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

    /// Runs a seed. Runs some seeds a second time through the codec; the driver's worlds always use it.
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
