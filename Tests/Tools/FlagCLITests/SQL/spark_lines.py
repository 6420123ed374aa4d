"""Runs a query over events in Spark, and prints the lines of its result: spark_lines.py EVENTS QUERY"""
import sys

from pyspark.sql import SparkSession

session = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", "8")
    .getOrCreate()
)
schema = "kind string, id string, time timestamp, flag string, variant string, unit string, name string, value double, attributes struct<`the plan`: string>, unitAttribute string, units map<string, string>"
events = session.read.schema(schema).json(sys.argv[1])
# Tables of writers that know one unit alone lack the columns for others.
if events.where("units IS NOT NULL").isEmpty():
    events = events.drop("unitAttribute", "units")
exposures = events.where("kind = 'exposure'").withColumn("the plan", events["attributes"]["the plan"])
exposures.withColumnRenamed("unit", "user id").createOrReplaceTempView("seen")
events.where("kind = 'conversion'").createOrReplaceTempView("conversions")
with open(sys.argv[2]) as query:
    # spark.sql takes one statement without its end.
    for row in session.sql(query.read().rstrip().rstrip(";").replace("`app`.", "")).collect():
        print(row[0])
session.stop()
