import ArgumentParser
import ChatSimulation

extension PlantedBug: ExpressibleByArgument {}
