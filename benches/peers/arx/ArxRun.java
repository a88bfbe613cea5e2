import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * ARX on the table: one level of its hierarchy for each column, from a file to a file.
 *
 * <p>Usage: ArxRun IN OUT K L T SUPPRESSED SENSITIVE COLUMN=HIERARCHY..., where an L or a T of 0 is not asked for and
 * SUPPRESSED is a share of rows. Rows that ARX suppresses are not written. Ends with 1 where ARX finds no table.
 */
public final class ArxRun {
    private ArxRun() {}

    public static void main(String[] args) throws Exception {
        int k = Integer.parseInt(args[2]);
        int l = Integer.parseInt(args[3]);
        double t = Double.parseDouble(args[4]);
        String sensitive = args[6];
        Data data = Data.create(args[0], StandardCharsets.UTF_8, ',');
        String[] columns = new String[args.length - 6];
        for (int i = 7; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            columns[i - 7] = pair[0];
            Hierarchy hierarchy = Hierarchy.create(pair[1], StandardCharsets.UTF_8, ';');
            data.getDefinition().setAttributeType(pair[0], hierarchy);
        }
        columns[columns.length - 1] = sensitive;
        // Under k-anonymity alone ARX would refuse a sensitive column that no model protects.
        boolean guarded = l > 0 || t > 0;
        data.getDefinition().setAttributeType(
                sensitive, guarded ? AttributeType.SENSITIVE_ATTRIBUTE : AttributeType.INSENSITIVE_ATTRIBUTE);

        ARXConfiguration config = ARXConfiguration.create();
        config.addPrivacyModel(new KAnonymity(k));
        if (l > 0) {
            config.addPrivacyModel(new DistinctLDiversity(sensitive, l));
        }
        if (t > 0) {
            config.addPrivacyModel(new EqualDistanceTCloseness(sensitive, t));
        }
        config.setSuppressionLimit(Double.parseDouble(args[5]));
        config.setQualityModel(Metric.createLossMetric());

        long start = System.nanoTime();
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        if (!result.isResultAvailable()) {
            System.err.println("ARX finds no table that meets the requirements");
            System.exit(1);
        }
        DataHandle released = result.getOutput();
        double seconds = (System.nanoTime() - start) / 1e9;

        int[] places = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            places[i] = released.getColumnIndexOf(columns[i]);
        }
        try (PrintWriter out = new PrintWriter(args[1], StandardCharsets.UTF_8)) {
            out.println(String.join(",", columns));
            for (int row = 0; row < released.getNumRows(); row++) {
                if (released.isOutlier(row)) {
                    continue;
                }
                StringBuilder line = new StringBuilder();
                for (int place : places) {
                    line.append(line.length() == 0 ? "" : ",").append(released.getValue(row, place));
                }
                out.println(line);
            }
        }
        System.out.println("{\"method_seconds\": " + seconds + "}");
    }
}
